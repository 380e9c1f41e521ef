#include <limits.h>

static int distance(int a, int b)
{
	return a - b;
}

int main(void)
{
	int d = distance(INT_MAX - 5, -5);
	d = distance(INT_MAX - 5, -6);
	return d != 0;
}
