#include <assert.h>
#include <limits.h>

static int counter = INT_MAX;

int main(void)
{
	int before = __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
	assert(before == INT_MAX);
	assert(counter == INT_MIN);
	return 0;
}
