#include <stdlib.h>

struct small { int kind; };
struct large { int kind; int data[6]; };
union shape { struct small s; struct large l; };

int main(void)
{
	union shape *u = malloc(sizeof *u);
	u->s.kind = 1;
	u->l.data[5] = 5;
	free(u);
	return 0;
}
