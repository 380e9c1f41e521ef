static int *deepest;

static int descend(int n)
{
	int here = n;
	if (n == 0)
		deepest = &here;
	else
		descend(n - 1);
	return here;
}

int main(void)
{
	int top = descend(3);
	return top + *deepest;
}
