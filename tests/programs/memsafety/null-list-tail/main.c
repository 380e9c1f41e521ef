struct node { int key; struct node *next; };

static struct node last = { 3, 0 };
static struct node first = { 1, &last };

static struct node *find(struct node *n, int key)
{
	while (n->key != key)
		n = n->next;
	return n;
}

int main(void)
{
	struct node *n = find(&first, 3);
	n = find(&first, 2);
	return n->key;
}
