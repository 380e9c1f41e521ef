#include <assert.h>
#include <stdint.h>

union word { uint32_t u; uint8_t b[4]; uint16_t h[2]; float f; };

int main(void)
{
	union word w = { .u = 0x11223344 };
	assert(w.b[0] == 0x44 && w.b[3] == 0x11);
	assert(w.h[1] == 0x1122);
	w.b[1] = 0xff;
	assert(w.u == 0x1122ff44);
	w.f = 1.0f;
	assert(w.u == 0x3f800000);
	w.u = 0xc0000000;
	assert(w.f == -2.0f);
	assert(sizeof w == 4);
	return 0;
}
