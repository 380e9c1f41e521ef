#include <limits.h>

int main(void)
{
	int value = INT_MIN;
	for (int d = -3; d < 0; d += 2)
		value /= d == -3 ? 1 : d;
	return value == 0;
}
