#include <stdlib.h>

static int *buffer;

int main(void)
{
	buffer = malloc(8);
	buffer = malloc(16);
	free(buffer);
	return 0;
}
