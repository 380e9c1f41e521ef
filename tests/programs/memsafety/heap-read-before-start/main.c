#include <stdlib.h>

static int previous(const int *v, int i)
{
	return v[i - 1];
}

int main(void)
{
	int *v = calloc(3, sizeof *v);
	int sum = previous(v, 2) + previous(v, 1) + previous(v, 0);
	free(v);
	return sum;
}
