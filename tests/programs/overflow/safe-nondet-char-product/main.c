extern char __VERIFIER_nondet_char(void);

int main(void)
{
	signed char c = (signed char)__VERIFIER_nondet_char();
	int cube = c * c * c;
	int scaled = cube * 1024;
	return scaled == 1;
}
