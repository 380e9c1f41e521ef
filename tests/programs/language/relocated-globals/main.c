#include <assert.h>
#include <stddef.h>

struct node { int v; struct node *next; };

static struct node chain[3];
static int numbers[5] = { 0, 1, 2, 3, 4 };
static int *const third = &numbers[2];
static int *const last = numbers + 5 - 1;
static struct node chain[3] = { { 1, &chain[1] }, { 2, &chain[2] }, { 3, 0 } };
static struct node **const link = &chain[1].next;
static const char *text = "hello" + 2;
static void *self = &self;
static char *middle = (char *)numbers + 3 * sizeof(int);

int main(void)
{
	assert(*third == 2 && *last == 4 && last - third == 2);
	assert(chain->next->next->v == 3);
	assert((*link)->v == 3 && text[0] == 'l' && text[2] == 'o');
	assert(self == &self && *(int *)middle == 3);
	return 0;
}
