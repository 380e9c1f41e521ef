#include <assert.h>

int main(void)
{
	int two_hundred = 200, many = 70000;
	signed char c = two_hundred;
	short s = many;
	assert(c == -56);
	assert(s == 4464);
	int back = (int)3000000000u;
	assert(back < 0);
	return 0;
}
