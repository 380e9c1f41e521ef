#include <stdlib.h>

struct tree { struct tree *left, *right; };

static struct tree *root;

static struct tree *leaf(void)
{
	return calloc(1, sizeof(struct tree));
}

int main(void)
{
	root = leaf();
	root->right = leaf();
	root->right->left = leaf();
	free(root->right);
	root->right = 0;
	return 0;
}
