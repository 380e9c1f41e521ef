static int middle(int low, int high)
{
	return (low + high) / 2;
}

int main(void)
{
	int m = middle(0, 2000000000);
	m = middle(m, 2000000000);
	return m < 0;
}
