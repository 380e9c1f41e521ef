#include <stdlib.h>

static int made;

static int *make(int v)
{
	int *p = malloc(sizeof *p);
	*p = v;
	made++;
	return p;
}

int main(void)
{
	make(1);
	int *p = make(2);
	free(p);
	return made != 2;
}
