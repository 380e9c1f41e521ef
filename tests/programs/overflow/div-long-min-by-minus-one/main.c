#include <limits.h>

int main(void)
{
	long long total = LLONG_MIN;
	long long parts = -1;
	long long share = 0;
	if (parts != 0)
		share = total / parts;
	return share == 1;
}
