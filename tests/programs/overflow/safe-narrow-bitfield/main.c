#include <assert.h>

struct nibble { signed int v : 4; unsigned int u : 4; };

int main(void)
{
	struct nibble n = { 7, 15 };
	n.v++;
	n.u++;
	assert(n.v == -8);
	assert(n.u == 0);
	n.v -= 1;
	assert(n.v == 7);
	return 0;
}
