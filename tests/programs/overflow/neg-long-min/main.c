#include <limits.h>

static long magnitude(long v)
{
	return v < 0 ? -v : v;
}

int main(void)
{
	long a = magnitude(-5L);
	long b = magnitude(LONG_MIN);
	return a == b;
}
