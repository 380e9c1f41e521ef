#include <assert.h>

static void divide(int a, int b, int *quotient, int *rest)
{
	*quotient = a / b;
	*rest = a % b;
}

static void deep(int n, int *count)
{
	++*count;
	if (n > 0)
		deep(n - 1, count);
}

int main(void)
{
	int q, r, count = 0;
	divide(17, 5, &q, &r);
	deep(4, &count);
	assert(q == 3 && r == 2 && count == 5);
	return 0;
}
