#include <stdint.h>

static int64_t to_nanos(int64_t seconds)
{
	return seconds * 1000000000;
}

int main(void)
{
	int64_t day = to_nanos(86400);
	int64_t far = to_nanos(10000000000LL);
	return day == far;
}
