#include <assert.h>

int main(void)
{
	double a = 0.1, b = 0.2, half = 0.5;
	assert(a + b != 0.3);
	assert(a + b > 0.3 && a + b == 0.30000000000000004);
	assert(half + half == 1.0 && half * half == 0.25);
	float f = 16777216.0f;
	float g = f + 1.0f;
	assert(g == f);
	assert((double)f + 1.0 == 16777217.0);
	double third = 1.0 / 3.0;
	assert(third * 3.0 == 1.0);
	assert((float)third != third);
	return 0;
}
