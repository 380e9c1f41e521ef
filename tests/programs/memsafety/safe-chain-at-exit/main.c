#include <stdlib.h>

struct node { int v; struct node *next; };

static struct { int size; struct node *first; } list;

int main(void)
{
	for (int i = 0; i < 3; i++) {
		struct node *n = malloc(sizeof *n);
		n->v = i;
		n->next = list.first;
		list.first = n;
		list.size++;
	}
	return 0;
}
