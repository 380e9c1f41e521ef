#include <stdint.h>

int main(void)
{
	uintptr_t reg = 0x40;
	volatile int *device = (volatile int *)reg;
	*device = 1;
	return 0;
}
