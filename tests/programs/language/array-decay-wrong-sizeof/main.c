#include <assert.h>

static int length(int v[6])
{
	return sizeof v / sizeof v[0];
}

int main(void)
{
	int v[6] = { 1, 2, 3, 4, 5, 6 };
	assert(sizeof v / sizeof v[0] == 6);
	assert(length(v) == 6);
	return 0;
}
