#include <assert.h>
#include <stdlib.h>

struct node { int key; struct node *next; };

static struct node *head;

static void push(int key)
{
	struct node *n = malloc(sizeof *n);
	n->key = key;
	n->next = head;
	head = n;
}

static void drop(int key)
{
	struct node **link = &head;
	while (*link && (*link)->key != key)
		link = &(*link)->next;
	struct node *n = *link;
	if (n) {
		*link = n->next;
		free(n);
	}
}

int main(void)
{
	for (int k = 1; k <= 4; k++)
		push(k);
	drop(1);
	drop(4);
	drop(9);
	assert(head->key == 3 && head->next->key == 2 && head->next->next == 0);
	return 0;
}
