#include <stdlib.h>

static int use(int size)
{
	char small[8];
	char *buffer = size <= 8 ? small : malloc(size);
	buffer[0] = 1;
	free(buffer);
	return 0;
}

int main(void)
{
	return use(100) + use(4);
}
