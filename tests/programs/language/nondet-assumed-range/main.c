#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void)
{
	unsigned int n = __VERIFIER_nondet_uint();
	__VERIFIER_assume(n < 8);
	unsigned int sum = 0;
	for (unsigned int i = 1; i <= n; i++)
		sum += i;
	assert(sum == n * (n + 1) / 2);
	return 0;
}
