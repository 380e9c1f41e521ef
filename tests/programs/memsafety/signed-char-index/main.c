extern char __VERIFIER_nondet_char(void);

static const unsigned char is_space[128] = { [' '] = 1, ['\t'] = 1, ['\n'] = 1 };

int main(void)
{
	signed char c = (signed char)__VERIFIER_nondet_char();
	return is_space[c];
}
