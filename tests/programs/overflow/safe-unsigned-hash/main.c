#include <assert.h>

static unsigned int hash(const char *s)
{
	unsigned int h = 0;
	while (*s)
		h = 31 * h + (unsigned char)*s++;
	return h;
}

int main(void)
{
	assert(hash("cat") == 98262);
	assert(hash("interleaving") != hash("interweaving"));
	return 0;
}
