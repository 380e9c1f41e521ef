#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int absolute(int v)
{
	if (v < 0)
		v = -v;
	return v;
}

int main(void)
{
	int v = __VERIFIER_nondet_int();
	return absolute(v) > 100;
}
