#include <assert.h>

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

static int ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

static int odd(unsigned int n);
static int even(unsigned int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned int n) { return n == 0 ? 0 : even(n - 1); }

int main(void)
{
	assert(factorial(10) == 3628800);
	assert(ackermann(2, 3) == 9);
	assert(even(10) && !even(7) && odd(13));
	return 0;
}
