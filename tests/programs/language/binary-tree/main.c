#include <assert.h>
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };

static struct tree *root;
static int order[5], filled;

static void insert(struct tree **t, int key)
{
	while (*t)
		t = key < (*t)->key ? &(*t)->left : &(*t)->right;
	*t = calloc(1, sizeof **t);
	(*t)->key = key;
}

static void walk(struct tree *t)
{
	if (!t)
		return;
	walk(t->left);
	order[filled++] = t->key;
	walk(t->right);
	free(t);
}

int main(void)
{
	static const int keys[5] = { 30, 10, 50, 20, 40 };
	for (int i = 0; i < 5; i++)
		insert(&root, keys[i]);
	walk(root);
	root = 0;
	for (int i = 0; i < 5; i++)
		assert(order[i] == 10 * (i + 1));
	return 0;
}
