#include <limits.h>

static long clock_ticks = LONG_MAX - 1;

static long tick(void)
{
	clock_ticks = clock_ticks + 1;
	return clock_ticks;
}

int main(void)
{
	tick();
	tick();
	return 0;
}
