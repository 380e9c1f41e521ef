#include <limits.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void)
{
	int level = INT_MAX - 1;
	bool extra = __VERIFIER_nondet_bool();
	level += 1;
	level += extra;
	return level == 0;
}
