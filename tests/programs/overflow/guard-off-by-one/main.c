#include <limits.h>

static int increment(int v)
{
	if (v <= INT_MAX)
		return v + 1;
	return v;
}

int main(void)
{
	int v = INT_MAX - 1;
	v = increment(v);
	v = increment(v);
	return 0;
}
