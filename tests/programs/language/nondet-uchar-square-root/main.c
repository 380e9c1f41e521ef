#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned int root(unsigned int n)
{
	unsigned int r = 0;
	for (unsigned int bit = 8; bit; bit >>= 1)
		if ((r + bit) * (r + bit) <= n)
			r += bit;
	return r;
}

int main(void)
{
	unsigned char n = __VERIFIER_nondet_uchar();
	unsigned int r = root(n);
	assert(r * r <= n && (r + 1) * (r + 1) > n);
	return 0;
}
