#include <assert.h>

int main(void)
{
	double d = -2.75;
	float f = 3.99f;
	assert((int)d == -2 && (int)f == 3);
	assert((unsigned char)200.9 == 200);
	long big = 9007199254740993L;
	assert((double)big == 9007199254740992.0);
	assert((long)(double)big == 9007199254740992L);
	unsigned int u = 4000000000u;
	assert((double)u == 4e9 && (unsigned int)4e9 == u);
	int i = 7;
	assert(i / 2 == 3 && i / 2.0 == 3.5);
	i *= 1.5;
	assert(i == 10);
	return 0;
}
