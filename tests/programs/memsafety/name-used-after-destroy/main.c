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
	p->name = malloc(7);
	strcpy(p->name, "Edsger");
	const char *label = p->name;
	destroy(p);
	return (int)strlen(label);
}
