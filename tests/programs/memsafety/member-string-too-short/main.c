#include <stdlib.h>
#include <string.h>

struct person { char *name; int age; };

static void destroy(struct person *p)
{
	free(p->name);
	free(p);
}

int main(void)
{
	struct person *p = malloc(sizeof *p);
	p->name = malloc(6);
	strcpy(p->name, "Edsger");
	destroy(p);
	return 0;
}
