#include <assert.h>

static long long product(int a, int b)
{
	return (long long)a * b;
}

int main(void)
{
	assert(product(123456, 654321) == 80779853376LL);
	assert(product(-2147483647 - 1, -1) == 2147483648LL);
	return 0;
}
