#include <assert.h>

extern char __VERIFIER_nondet_char(void);

int main(void)
{
	signed char c = (signed char)__VERIFIER_nondet_char();
	signed char absolute = (signed char)(c < 0 ? -c : c);
	assert(absolute >= 0);
	return 0;
}
