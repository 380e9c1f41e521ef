#include <stdlib.h>

int main(void)
{
	int initial[4] = { 1, 2, 3, 4 };
	int *v = initial;
	v = realloc(v, 8 * sizeof *v);
	v[7] = 0;
	free(v);
	return 0;
}
