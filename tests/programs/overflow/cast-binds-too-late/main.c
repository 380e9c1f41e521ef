static long long product(int a, int b)
{
	return (long long)(a * b);
}

int main(void)
{
	return product(123456, 654321) == 0;
}
