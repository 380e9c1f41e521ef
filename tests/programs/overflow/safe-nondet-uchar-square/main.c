extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
	int b = __VERIFIER_nondet_uchar();
	int product = b * 8421504;
	return product == 1;
}
