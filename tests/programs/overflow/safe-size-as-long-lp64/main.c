#include <assert.h>

static long total;

static void account(long bytes)
{
	total += bytes;
}

int main(void)
{
	account(1500000000L);
	account(1500000000L);
	assert(total == 3000000000L);
	return 0;
}
