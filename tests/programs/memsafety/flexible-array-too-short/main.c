#include <stdlib.h>

struct packet { int length; int word[]; };

int main(void)
{
	struct packet *p = malloc(sizeof *p + 2 * sizeof(int));
	p->length = 3;
	for (int i = 0; i < p->length; i++)
		p->word[i] = i;
	free(p);
	return 0;
}
