#include <assert.h>
#include <stdlib.h>

int main(void)
{
	char *p = malloc(2);
	p[1] = 0;
	assert(p[1] == 0);
	assert(p[0] == 0);
	free(p);
	return 0;
}
