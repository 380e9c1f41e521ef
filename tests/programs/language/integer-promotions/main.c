#include <assert.h>

int main(void)
{
	unsigned char a = 200, b = 100;
	assert(a + b == 300 && (unsigned char)(a + b) == 44);
	assert(~a == -201 && (unsigned char)~a == 55);
	int minus = -1;
	unsigned int one = 1;
	assert(minus > one);
	assert(minus < (long)one);
	unsigned short s = 65535;
	assert(s + 1 == 65536 && (unsigned short)(s + 1) == 0);
	assert(sizeof(a + b) == sizeof(int) && sizeof(a) == 1);
	assert((b - a) < 0 && (unsigned)(b - a) > 1000u);
	return 0;
}
