#include <stdbool.h>
#include <stdlib.h>

extern bool __VERIFIER_nondet_bool(void);

static int process(void)
{
	int rc = 0;
	char *buffer = malloc(8);
	if (__VERIFIER_nondet_bool()) {
		rc = -1;
		free(buffer);
		goto out;
	}
	buffer[0] = 1;
out:
	free(buffer);
	return rc;
}

int main(void)
{
	return process();
}
