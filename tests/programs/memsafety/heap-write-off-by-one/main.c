#include <stdlib.h>

int main(void)
{
	int n = 4;
	int *v = malloc(n * sizeof *v);
	for (int i = 0; i <= n; i++)
		v[i] = 0;
	free(v);
	return 0;
}
