#include <limits.h>

int main(void)
{
	int low = INT_MIN, limit = -1;
	int below = low < limit && low + limit < 0;
	return below;
}
