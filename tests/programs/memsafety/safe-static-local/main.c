#include <assert.h>
#include <stdlib.h>

static int *counter(void)
{
	static int *c;
	if (!c)
		c = calloc(1, sizeof *c);
	return c;
}

int main(void)
{
	++*counter();
	++*counter();
	assert(*counter() == 2);
	return 0;
}
