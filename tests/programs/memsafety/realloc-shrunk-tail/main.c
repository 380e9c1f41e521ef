#include <stdlib.h>

int main(void)
{
	int *v = malloc(8 * sizeof *v);
	for (int i = 0; i < 8; i++)
		v[i] = i;
	v = realloc(v, 4 * sizeof *v);
	int last = v[7];
	free(v);
	return last;
}
