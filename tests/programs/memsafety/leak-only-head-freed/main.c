#include <stdlib.h>

struct node { int v; struct node *next; };

static struct node *head;

int main(void)
{
	for (int i = 0; i < 3; i++) {
		struct node *n = malloc(sizeof *n);
		n->v = i;
		n->next = head;
		head = n;
	}
	free(head);
	head = 0;
	return 0;
}
