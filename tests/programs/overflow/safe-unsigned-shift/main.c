#include <assert.h>

int main(void)
{
	unsigned int top = 1;
	for (int i = 0; i < 31; i++)
		top <<= 1;
	assert(top == 0x80000000u);
	top <<= 1;
	assert(top == 0);
	unsigned long wide = 3UL << 63;
	assert(wide >> 63 == 1);
	return 0;
}
