#include <limits.h>

static int saturating_step(int v, int up)
{
	return up ? v + 1 : v - 1;
}

int main(void)
{
	int a = saturating_step(INT_MAX, 0);
	int b = saturating_step(INT_MIN, 1);
	int c = saturating_step(b - 1, 0);
	return a + b == c;
}
