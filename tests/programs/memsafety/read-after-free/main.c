#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);
	*p = 6;
	free(p);
	return *p;
}
