#include <limits.h>

extern char __VERIFIER_nondet_char(void);

static int divide(int a, int b)
{
	if (b == 0 || (a == INT_MIN && b == -1))
		return 0;
	return a / b + a % b;
}

int main(void)
{
	signed char b = (signed char)__VERIFIER_nondet_char();
	int r = divide(INT_MIN, b);
	r = divide(INT_MAX, b);
	return r == 1;
}
