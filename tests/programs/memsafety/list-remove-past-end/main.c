struct node { int key; struct node *next; };

static struct node n2 = { 2, 0 };
static struct node n1 = { 1, &n2 };

static void remove_after(struct node *prev)
{
	prev->next = prev->next->next;
}

int main(void)
{
	remove_after(&n1);
	remove_after(&n1);
	return 0;
}
