#include <stdlib.h>

struct node { int v; struct node *next; };

static struct node *head;

static void push(int v)
{
	struct node *n = malloc(sizeof *n);
	n->v = v;
	n->next = head;
	head = n;
}

static int pop(void)
{
	int v = head->v;
	head = head->next;
	return v;
}

int main(void)
{
	push(1);
	push(2);
	return pop() != 2;
}
