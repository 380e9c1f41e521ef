static int factorial(int n)
{
	int product = 1;
	for (int i = 2; i <= n; i++)
		product *= i;
	return product;
}

int main(void)
{
	if (factorial(12) != 479001600)
		return 1;
	return factorial(13) == 0;
}
