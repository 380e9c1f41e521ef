#include <limits.h>

int main(void)
{
	int level = INT_MIN + 1;
	while (--level < 0)
		;
	return 0;
}
