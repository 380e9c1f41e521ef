extern char __VERIFIER_nondet_char(void);

int main(void)
{
	signed char c = (signed char)__VERIFIER_nondet_char();
	int wide = c * 16777216;
	int flipped = -wide;
	return flipped == 5;
}
