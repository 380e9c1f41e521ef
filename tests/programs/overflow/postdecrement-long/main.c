#include <limits.h>

static long credit = LONG_MIN;

int main(void)
{
	if (credit-- < 0)
		return 0;
	return 1;
}
