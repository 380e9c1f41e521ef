#include <limits.h>

static void bump(int **where)
{
	++**where;
}

int main(void)
{
	int low = 0, high = INT_MAX;
	int *target = &low;
	bump(&target);
	target = &high;
	bump(&target);
	return low;
}
