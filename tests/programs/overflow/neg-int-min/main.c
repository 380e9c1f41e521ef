#include <limits.h>

int main(void)
{
	int low = INT_MIN;
	int high = -low;
	return high == 1;
}
