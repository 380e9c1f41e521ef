#include <stdlib.h>

int main(void)
{
	int n = 5;
	int *v = malloc(n);
	v[0] = 1;
	v[1] = 2;
	free(v);
	return 0;
}
