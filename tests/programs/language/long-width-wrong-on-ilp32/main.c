#include <assert.h>

int main(void)
{
	long v = (long)4294967296LL;
	unsigned long top = -1UL;
	assert(top == 4294967295UL);
	assert(v != 0);
	return 0;
}
