#include <assert.h>

#define SQUARE(x) ((x) * (x))

static int calls;

static int next(void)
{
	return ++calls;
}

int main(void)
{
	assert(SQUARE(3) == 9);
	int s = SQUARE(next());
	assert(s == 2);
	assert(calls == 1);
	return 0;
}
