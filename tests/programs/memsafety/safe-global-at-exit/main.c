#include <stdlib.h>

static int *table;

int main(void)
{
	table = calloc(8, sizeof *table);
	table[7] = 1;
	return 0;
}
