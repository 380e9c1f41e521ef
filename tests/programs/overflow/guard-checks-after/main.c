extern int __VERIFIER_nondet_int(void);

static int add_checked(int a, int b)
{
	int sum = a + b;
	if (a > 0 && b > 0 && sum < 0)
		return -1;
	return sum;
}

int main(void)
{
	int a = __VERIFIER_nondet_int();
	return add_checked(a, 1) == -1;
}
