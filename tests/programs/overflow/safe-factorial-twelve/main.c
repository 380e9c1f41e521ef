#include <assert.h>

static int factorial(int n)
{
	return n < 2 ? 1 : n * factorial(n - 1);
}

int main(void)
{
	assert(factorial(12) == 479001600);
	return 0;
}
