extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char seen[255];

int main(void)
{
	unsigned char b = __VERIFIER_nondet_uchar();
	seen[b] = 1;
	return 0;
}
