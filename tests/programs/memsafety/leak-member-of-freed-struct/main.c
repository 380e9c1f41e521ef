#include <stdlib.h>

struct text { char *chars; int length; };

static struct text *t;

int main(void)
{
	t = malloc(sizeof *t);
	t->chars = malloc(10);
	t->length = 10;
	free(t);
	t = 0;
	return 0;
}
