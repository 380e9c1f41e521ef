#include <stdlib.h>

static int *optional;

int main(void)
{
	free(optional);
	free(0);
	optional = malloc(4);
	free(optional);
	optional = 0;
	free(optional);
	return 0;
}
