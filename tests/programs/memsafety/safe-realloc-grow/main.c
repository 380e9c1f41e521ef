#include <assert.h>
#include <stdlib.h>

int main(void)
{
	int *v = malloc(2 * sizeof *v);
	v[0] = 11;
	v[1] = 22;
	v = realloc(v, 4 * sizeof *v);
	v[2] = 33;
	v[3] = 44;
	assert(v[0] == 11 && v[1] == 22);
	assert(v[2] + v[3] == 77);
	free(v);
	return 0;
}
