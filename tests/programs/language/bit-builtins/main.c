#include <assert.h>

int main(void)
{
	unsigned int v = 0x00f0;
	assert(__builtin_popcount(v) == 4);
	assert(__builtin_ctz(v) == 4 && __builtin_clz(v) == 24);
	assert(__builtin_popcountll(~0ULL) == 64);
	assert(__builtin_bswap32(0x11223344u) == 0x44332211u);
	return 0;
}
