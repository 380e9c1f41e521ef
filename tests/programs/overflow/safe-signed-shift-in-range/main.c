#include <assert.h>
#include <limits.h>

int main(void)
{
	int one = 1, zero = 0, negative = INT_MIN;
	assert(one << 30 == 1073741824);
	assert(zero << 31 == 0);
	assert(negative >> 31 == -1);
	long wide = 1L << 62;
	assert(wide > 0);
	return 0;
}
