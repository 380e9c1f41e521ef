struct node { int key; struct node *left, *right; };

static struct node root = { 10, 0, 0 };

int main(void)
{
	struct node *n = &root;
	n = n->left;
	return n->right == 0;
}
