#include <assert.h>

extern char __VERIFIER_nondet_char(void);

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static char swap_by_range(char c) { return c >= 'a' && c <= 'z' ? c - 32 : c >= 'A' && c <= 'Z' ? c + 32 : c; }
static char swap_by_bit(char c) { return is_letter(c) ? c ^ 0x20 : c; }

int main(void)
{
	char c = __VERIFIER_nondet_char();
	assert(swap_by_range(c) == swap_by_bit(c));
	assert(swap_by_bit(swap_by_bit(c)) == c);
	return 0;
}
