#include <assert.h>
#include <stdint.h>

static int cell[4] = { 5, 6, 7, 8 };

int main(void)
{
	uintptr_t base = (uintptr_t)cell;
	assert(base % sizeof(int) == 0);
	assert((uintptr_t)&cell[3] - base == 12);
	int *p = (int *)(base + 2 * sizeof(int));
	assert(*p == 7);
	uintptr_t tagged = base | 1;
	assert((tagged & 1) == 1);
	assert(*(int *)(tagged & ~(uintptr_t)1) == 5);
	assert((void *)0 == 0 && (uintptr_t)(int *)0 == 0);
	return 0;
}
