#include <assert.h>
#include <limits.h>

int main(void)
{
	int low = INT_MIN;
	assert(~low == INT_MAX);
	assert((low ^ -1) == INT_MAX);
	assert((low | 1) < 0);
	assert((low & INT_MAX) == 0);
	return 0;
}
