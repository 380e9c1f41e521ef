#include <stdlib.h>

static void grow(char *p, size_t n)
{
	p = realloc(p, n);
	p[n - 1] = 0;
}

int main(void)
{
	char *p = malloc(4);
	grow(p, 4000);
	p = 0;
	return p != 0;
}
