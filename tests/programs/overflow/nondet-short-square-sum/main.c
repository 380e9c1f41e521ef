extern short __VERIFIER_nondet_short(void);

int main(void)
{
	short x = __VERIFIER_nondet_short();
	short y = __VERIFIER_nondet_short();
	int norm = x * x + y * y;
	return norm == 0;
}
