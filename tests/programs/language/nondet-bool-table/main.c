#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void)
{
	bool a = __VERIFIER_nondet_bool();
	bool b = __VERIFIER_nondet_bool();
	bool c = __VERIFIER_nondet_bool();
	bool gate = (a && b) || (c && (a != b));
	assert(gate == (a + b + c >= 2));
	assert(a == 0 || a == 1);
	return 0;
}
