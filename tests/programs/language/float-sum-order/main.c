#include <assert.h>

int main(void)
{
	double big = 9007199254740992.0, one = 1.0;
	double left = (big + one) + one;
	double right = big + (one + one);
	assert(right == 9007199254740994.0);
	assert(left == right);
	return 0;
}
