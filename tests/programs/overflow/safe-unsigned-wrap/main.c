#include <assert.h>
#include <limits.h>

int main(void)
{
	unsigned int u = UINT_MAX;
	u++;
	assert(u == 0);
	u -= 1;
	assert(u == UINT_MAX);
	u *= u;
	assert(u == 1);
	assert(-u == UINT_MAX);
	return 0;
}
