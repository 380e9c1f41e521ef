#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static int storage;

static int open_slot(int **slot)
{
	if (__VERIFIER_nondet_bool())
		return -1;
	*slot = &storage;
	return 0;
}

int main(void)
{
	int *slot = 0;
	int status = open_slot(&slot);
	*slot = 1;
	return status;
}
