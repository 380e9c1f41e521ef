#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct text { unsigned short length; char chars[]; };

static struct text *text_of(const char *s)
{
	size_t n = strlen(s);
	struct text *t = malloc(sizeof *t + n);
	t->length = (unsigned short)n;
	memcpy(t->chars, s, n);
	return t;
}

int main(void)
{
	struct text *t = text_of("thread");
	assert(sizeof *t == 2 && offsetof(struct text, chars) == 2);
	assert(t->length == 6 && t->chars[5] == 'd');
	free(t);
	return 0;
}
