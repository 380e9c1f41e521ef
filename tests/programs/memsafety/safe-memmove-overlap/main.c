#include <assert.h>
#include <string.h>

int main(void)
{
	int v[5] = { 1, 2, 3, 4, 5 };
	memmove(v + 1, v, 4 * sizeof *v);
	assert(v[0] == 1 && v[1] == 1 && v[4] == 4);
	memmove(v, v + 2, 3 * sizeof *v);
	assert(v[0] == 2 && v[1] == 3 && v[2] == 4);
	return 0;
}
