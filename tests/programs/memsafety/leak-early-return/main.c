#include <stdbool.h>
#include <stdlib.h>

extern bool __VERIFIER_nondet_bool(void);

static int transact(void)
{
	char *log = malloc(8);
	log[0] = 'b';
	if (__VERIFIER_nondet_bool())
		return -1;
	free(log);
	return 0;
}

int main(void)
{
	int rc = transact();
	return rc == 1;
}
