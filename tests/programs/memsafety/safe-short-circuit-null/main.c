struct node { int key; struct node *next; };

static struct node only = { 1, 0 };

static int second_key(const struct node *n)
{
	return n && n->next && n->next->key ? n->next->key : -1;
}

int main(void)
{
	return second_key(&only) + second_key(0) != -2;
}
