#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	int *p = malloc(2 * sizeof *p);
	p[0] = 1;
	p[1] = 2;
	uintptr_t address = (uintptr_t)p + sizeof *p;
	int *second = (int *)address;
	assert(*second == 2 && second - p == 1);
	free(p);
	return 0;
}
