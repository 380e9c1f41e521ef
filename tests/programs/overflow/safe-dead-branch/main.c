#include <limits.h>

static const int debug = 0;

int main(void)
{
	int v = INT_MAX;
	if (debug)
		v = v + 1;
	int unused = debug && v + 1 < 0;
	int size = sizeof(v + 1);
	return unused + size != sizeof(int);
}
