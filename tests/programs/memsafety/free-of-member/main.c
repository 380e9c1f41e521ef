#include <stdlib.h>

struct message { int length; char body[12]; };

static struct message *m;

int main(void)
{
	m = calloc(1, sizeof *m);
	m->length = 12;
	free(m->body);
	return 0;
}
