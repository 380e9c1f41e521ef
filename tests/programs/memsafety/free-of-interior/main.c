#include <stdlib.h>

static int *values;

int main(void)
{
	values = calloc(4, sizeof *values);
	int *second = &values[1];
	free(second);
	return 0;
}
