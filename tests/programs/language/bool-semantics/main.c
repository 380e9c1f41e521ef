#include <assert.h>
#include <stdbool.h>

int main(void)
{
	int n = 256;
	double d = 0.25;
	_Bool a = n, b = d, c = &n, e = 0;
	assert(a == 1 && b == 1 && c == 1 && e == 0);
	a += 5;
	assert(a == 1);
	e--;
	assert(e == 1);
	e--;
	assert(e == 0);
	bool both = (n & 1) == 0 && d < 1;
	assert(both + both == 2 && sizeof(bool) == 1);
	assert((unsigned char)n == 0 && (bool)n);
	return 0;
}
