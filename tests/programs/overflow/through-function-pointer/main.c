static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int times(int a, int b) { return a * b; }

static int (*const operation[3])(int, int) = { plus, minus, times };

int main(void)
{
	int acc = 100000;
	for (int i = 0; i < 3; i++)
		acc = operation[i](acc, 90000);
	return acc == 0;
}
