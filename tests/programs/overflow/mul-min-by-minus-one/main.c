#include <limits.h>

static int scale(int value, int sign)
{
	return value * sign;
}

int main(void)
{
	int v = scale(INT_MAX, -1);
	v = scale(v - 1, -1);
	return v == 7;
}
