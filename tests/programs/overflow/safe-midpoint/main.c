#include <assert.h>
#include <limits.h>

static int middle(int low, int high)
{
	return low + (high - low) / 2;
}

int main(void)
{
	int m = middle(1000000000, 2000000000);
	assert(m == 1500000000);
	m = middle(m, INT_MAX);
	assert(m > 1500000000);
	return 0;
}
