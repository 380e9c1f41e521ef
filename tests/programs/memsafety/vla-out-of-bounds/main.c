static int fill(int n)
{
	int row[n - 1];
	for (int i = 0; i < n; i++)
		row[i] = i;
	return row[0];
}

int main(void)
{
	return fill(5);
}
