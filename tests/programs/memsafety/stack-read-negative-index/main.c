int main(void)
{
	int depth[4] = { 4, 3, 2, 1 };
	int i = 3;
	while (depth[i] != 9)
		i--;
	return i;
}
