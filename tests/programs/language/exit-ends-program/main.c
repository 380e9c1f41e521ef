#include <assert.h>
#include <stdlib.h>

static void check(int v)
{
	if (v > 2)
		exit(3);
}

int main(void)
{
	for (int i = 0; i < 5; i++)
		check(i);
	assert(0);
	return 0;
}
