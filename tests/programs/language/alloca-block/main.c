#include <alloca.h>
#include <assert.h>

struct node { int v; struct node *next; };

static int chain(int n)
{
	struct node *head = 0;
	int sum = 0;
	for (int i = 1; i <= n; i++) {
		struct node *x = alloca(sizeof *x);
		x->v = i;
		x->next = head;
		head = x;
	}
	for (; head; head = head->next)
		sum = sum * 10 + head->v;
	return sum;
}

int main(void)
{
	assert(chain(4) == 4321);
	assert(chain(2) == 21);
	return 0;
}
