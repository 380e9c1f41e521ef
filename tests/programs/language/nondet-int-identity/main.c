#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int n = __VERIFIER_nondet_int();
	assert((n ^ -1) == ~n);
	assert((n & 1) + (n & ~1) == n);
	return 0;
}
