#include <assert.h>

static volatile int port = 1;
static const unsigned char crc[4] = { 0x00, 0x07, 0x0e, 0x09 };
static const volatile short limit = 12;

static unsigned int step(unsigned int state)
{
	return (state >> 2) ^ crc[state & 3];
}

int main(void)
{
	port = port + 1;
	port++;
	assert(port == 3 && limit == 12);
	assert(step(0x42) == (0x10 ^ 0x0e));
	volatile int *p = &port;
	*p = *p * 2;
	assert(port == 6);
	return 0;
}
