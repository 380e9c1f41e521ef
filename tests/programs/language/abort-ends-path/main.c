#include <stdlib.h>
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static void require(int c)
{
	if (!c)
		abort();
}

int main(void)
{
	unsigned char n = __VERIFIER_nondet_uchar();
	require(n >= 10 && n < 20);
	assert(n / 10 == 1);
	return 0;
}
