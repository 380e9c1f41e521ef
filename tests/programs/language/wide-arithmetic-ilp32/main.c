#include <assert.h>

static long long combine(int high, unsigned int low)
{
	return ((long long)high * 4294967296LL) + low;
}

int main(void)
{
	long long v = combine(-1, 0xfffffffeu);
	assert(v == -2);
	assert(combine(5, 7) % 1000 == 487);
	assert(combine(5, 7) / 1000 == 21474836);
	unsigned long long u = 0xffffffffffffffffULL;
	assert(u >> 33 == 0x7fffffff && (unsigned int)(u / 3) == 0x55555555u);
	assert((int)combine(9, 3) == 3);
	return 0;
}
