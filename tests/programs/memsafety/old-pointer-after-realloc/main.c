#include <stdlib.h>

int main(void)
{
	int *v = malloc(2 * sizeof *v);
	int *first = v;
	v[0] = 1;
	v[1] = 2;
	v = realloc(v, 2000 * sizeof *v);
	*first = 10;
	free(v);
	return 0;
}
