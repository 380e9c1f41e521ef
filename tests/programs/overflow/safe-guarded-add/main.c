#include <limits.h>

extern char __VERIFIER_nondet_char(void);

static int add(int a, int b)
{
	if (b > 0 && a > INT_MAX - b)
		return INT_MAX;
	if (b < 0 && a < INT_MIN - b)
		return INT_MIN;
	return a + b;
}

int main(void)
{
	signed char step = (signed char)__VERIFIER_nondet_char();
	int high = add(INT_MAX - 60, step);
	int low = add(INT_MIN + 60, step);
	return high == low;
}
