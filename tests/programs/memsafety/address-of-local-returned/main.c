static int *choose(int a, int b)
{
	int best = a > b ? a : b;
	int *where = &best;
	return where;
}

int main(void)
{
	int *m = choose(3, 4);
	return *m;
}
