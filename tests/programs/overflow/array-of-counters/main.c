#include <limits.h>

static int counter[3] = { 0, INT_MAX, 5 };

int main(void)
{
	int order[4] = { 0, 2, 0, 1 };
	for (int i = 0; i < 4; i++)
		counter[order[i]]++;
	return 0;
}
