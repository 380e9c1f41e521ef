static int doubled(int depth)
{
	if (depth == 0)
		return 1;
	return doubled(depth - 1) + doubled(depth - 1);
}

static int tower(int depth, int base)
{
	if (depth == 0)
		return base;
	int below = tower(depth - 1, base);
	return below + below;
}

int main(void)
{
	return tower(27, doubled(4)) == 0;
}
