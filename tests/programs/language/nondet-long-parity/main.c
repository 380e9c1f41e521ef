#include <assert.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
	unsigned long n = __VERIFIER_nondet_ulong();
	assert((2 * n & 1) == 0);
	return 0;
}
