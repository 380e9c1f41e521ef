extern char __VERIFIER_nondet_char(void);

static const unsigned char is_space[256] = { [' '] = 1, ['\t'] = 1, ['\n'] = 1 };

int main(void)
{
	char c = __VERIFIER_nondet_char();
	return is_space[(unsigned char)c];
}
