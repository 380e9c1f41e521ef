extern int __VERIFIER_nondet_int(void);

int main(void)
{
	int limit = __VERIFIER_nondet_int();
	int count = 0;
	if (limit + 1 > 0)
		count = 1;
	return count;
}
