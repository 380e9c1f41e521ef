int main(void)
{
	int a = 2000000000, b = 1000000000, c = 2100000000;
	int r = a + b - c;
	return r == 900000000;
}
