#include <assert.h>

static void fill(int *out, int skip)
{
	if (!skip)
		*out = 0;
}

int main(void)
{
	int value;
	fill(&value, 1);
	assert(value == 0);
	return 0;
}
