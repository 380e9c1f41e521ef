extern short __VERIFIER_nondet_short(void);

int main(void)
{
	short x = __VERIFIER_nondet_short();
	short y = __VERIFIER_nondet_short();
	int difference = x - y;
	return difference == 70000;
}
