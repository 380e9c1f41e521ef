#include <assert.h>
#include <limits.h>

int main(void)
{
	long position = LONG_MAX;
	unsigned int step = 1;
	unsigned long moved = position + step;
	assert(moved == 0x80000000ul);
	return 0;
}
