#include <assert.h>
#include <limits.h>

int main(void)
{
	short s = SHRT_MAX;
	s++;
	assert(s == SHRT_MIN);
	signed char c = SCHAR_MIN;
	c--;
	assert(c == SCHAR_MAX);
	c += 1;
	assert(c == SCHAR_MIN);
	return 0;
}
