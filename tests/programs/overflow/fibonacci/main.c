int main(void)
{
	int a = 0, b = 1;
	for (int n = 2; n <= 47; n++) {
		int next = a + b;
		a = b;
		b = next;
	}
	return b == 0;
}
