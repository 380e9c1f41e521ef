#include <assert.h>
#include <stdint.h>

int main(void)
{
	uint8_t b = 250;
	uint16_t h = 0;
	uint32_t w = 0x80000000u;
	uint64_t d = 1;
	b += 10;
	h -= 1;
	w *= 2;
	d -= 2;
	assert(b == 4 && h == 65535 && w == 0 && d == UINT64_MAX);
	assert(0u - 1 == UINT32_MAX && -1u == UINT32_MAX);
	assert((uint32_t)(3000000000u * 2u) == 1705032704u);
	return 0;
}
