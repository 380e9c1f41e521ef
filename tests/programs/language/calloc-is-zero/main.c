#include <assert.h>
#include <stdlib.h>

struct rec { char c; int *p; double d; };

int main(void)
{
	struct rec *r = calloc(2, sizeof *r);
	for (int i = 0; i < 2; i++)
		assert(r[i].c == 0 && r[i].p == 0 && r[i].d == 0.0);
	r[1].c = 1;
	assert(r[0].c == 0);
	free(r);
	return 0;
}
