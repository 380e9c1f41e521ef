extern unsigned char __VERIFIER_nondet_uchar(void);

static int histogram[100];

int main(void)
{
	unsigned char b = __VERIFIER_nondet_uchar();
	if (b < sizeof histogram / sizeof histogram[0])
		histogram[b]++;
	return 0;
}
