#include <alloca.h>
#include <stdlib.h>

int main(void)
{
	int *p = alloca(4 * sizeof *p);
	p[0] = 1;
	free(p);
	return 0;
}
