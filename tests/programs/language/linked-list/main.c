#include <assert.h>
#include <stdlib.h>

struct node { int v; struct node *next; };

static struct node *cons(int v, struct node *next)
{
	struct node *n = malloc(sizeof *n);
	n->v = v;
	n->next = next;
	return n;
}

static struct node *reverse(struct node *n)
{
	struct node *done = 0;
	while (n) {
		struct node *next = n->next;
		n->next = done;
		done = n;
		n = next;
	}
	return done;
}

int main(void)
{
	struct node *l = reverse(cons(1, cons(2, cons(3, 0))));
	int digits = 0;
	while (l) {
		struct node *next = l->next;
		digits = digits * 10 + l->v;
		free(l);
		l = next;
	}
	assert(digits == 321);
	return 0;
}
