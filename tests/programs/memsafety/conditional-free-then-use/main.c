#include <stdbool.h>
#include <stdlib.h>

extern bool __VERIFIER_nondet_bool(void);

int main(void)
{
	char *buffer = calloc(4, 1);
	bool done = __VERIFIER_nondet_bool();
	if (done)
		free(buffer);
	int first = buffer[0];
	if (!done)
		free(buffer);
	return first;
}
