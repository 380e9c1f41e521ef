int main(void)
{
	int n = 715827883;
	int steps = 0;
	while (n != 1 && steps < 50) {
		n = n % 2 ? 3 * n + 1 : n / 2;
		steps++;
	}
	return steps;
}
