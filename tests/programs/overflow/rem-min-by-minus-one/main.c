#include <limits.h>

static int remainder_of(int a, int b)
{
	if (b == 0)
		return a;
	return a % b;
}

int main(void)
{
	return remainder_of(INT_MIN, -1);
}
