#include <stdlib.h>

static int value = 3;

int main(void)
{
	int **slot = malloc(4);
	*slot = &value;
	int v = **slot;
	free(slot);
	return v != 3;
}
