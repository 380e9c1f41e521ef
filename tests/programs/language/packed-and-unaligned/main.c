#include <assert.h>
#include <stdint.h>
#include <string.h>

struct __attribute__((packed)) frame { uint8_t kind; uint32_t length; uint16_t sum; };

int main(void)
{
	uint8_t wire[7] = { 1, 0x10, 0x20, 0x30, 0x40, 0xcd, 0xab };
	struct frame f;
	memcpy(&f, wire, sizeof f);
	assert(f.kind == 1 && f.length == 0x40302010 && f.sum == 0xabcd);
	f.length += 0x100;
	memcpy(wire, &f, sizeof f);
	assert(wire[2] == 0x21 && wire[1] == 0x10 && wire[5] == 0xcd);
	return 0;
}
