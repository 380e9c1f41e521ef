#include <stdlib.h>

int main(void)
{
	char *old = malloc(4);
	char *grown = realloc(old, 4000);
	grown[3999] = 1;
	free(old);
	free(grown);
	return 0;
}
