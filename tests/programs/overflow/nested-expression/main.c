int main(void)
{
	int a = 2000000000, b = 1000000000, c = 2500000;
	int r = a + b - c * 1000;
	return r == 500000000;
}
