#include <assert.h>
#include <limits.h>

int main(void)
{
	int i = INT_MAX;
	unsigned int one = 1;
	unsigned int sum = i + one;
	assert(sum == 0x80000000u);
	i = INT_MIN;
	assert(i - one == 0x7fffffffu);
	assert(i * 2u == 0);
	return 0;
}
