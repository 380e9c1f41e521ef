#include <assert.h>
#include <stdint.h>

static uint32_t rotate(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

int main(void)
{
	int negative = -16;
	assert(negative >> 2 == -4 && (unsigned)negative >> 28 == 0xf);
	assert(1u << 31 == 0x80000000u && 1ULL << 40 == 1099511627776ULL);
	assert(rotate(0x80000001u, 4) == 0x18);
	uint8_t b = 0x81;
	assert((b << 1) == 0x102 && (uint8_t)(b << 1) == 2);
	int64_t wide = -1;
	assert(wide >> 63 == -1 && (uint64_t)wide >> 60 == 15);
	return 0;
}
