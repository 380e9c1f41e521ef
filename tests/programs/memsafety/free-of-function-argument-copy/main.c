#include <stdlib.h>

static int sum_and_drop(int *v, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += v[i];
	free(v);
	v = 0;
	return sum;
}

int main(void)
{
	int *v = calloc(3, sizeof *v);
	int sum = sum_and_drop(v, 3);
	if (v)
		free(v);
	return sum;
}
