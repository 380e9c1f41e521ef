#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void)
{
	unsigned char status;
	bool ok = __VERIFIER_nondet_bool();
	if (ok)
		status = 1;
	assert(status == 1 || !ok);
	assert(status <= 1);
	return 0;
}
