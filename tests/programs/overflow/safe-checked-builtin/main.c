#include <assert.h>
#include <limits.h>

int main(void)
{
	int sum, product;
	int a = INT_MAX, b = 65536;
	assert(__builtin_add_overflow(a, 1, &sum));
	assert(!__builtin_add_overflow(a, -1, &sum) && sum == INT_MAX - 1);
	assert(__builtin_mul_overflow(b, b, &product));
	return 0;
}
