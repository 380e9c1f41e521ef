static int *recent;

static void remember(int v)
{
	int history[3] = { v, v, v };
	recent = history;
	recent[1] = v + 1;
}

int main(void)
{
	remember(4);
	return recent[1];
}
