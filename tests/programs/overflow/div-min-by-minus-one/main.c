#include <limits.h>

static int quotient(int a, int b)
{
	if (b == 0)
		return 0;
	return a / b;
}

int main(void)
{
	int q = quotient(INT_MIN, 1);
	q = quotient(q, -1);
	return q == 3;
}
