#include <assert.h>

static long microseconds(long seconds)
{
	return seconds * 1000000L;
}

int main(void)
{
	assert(microseconds(3000) == 3000000000L);
	return 0;
}
