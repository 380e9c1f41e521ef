#include <assert.h>
#include <stdlib.h>

static char *text;
static int length;

static void append(char c)
{
	text = realloc(text, length + 1);
	text[length++] = c;
}

int main(void)
{
	append('x');
	append('y');
	append('z');
	assert(text[0] == 'x' && text[1] == 'y' && text[2] == 'z');
	free(text);
	return 0;
}
