#include <assert.h>

static int same(const unsigned char *a, const unsigned char *b)
{
	return *a == *b;
}

int main(void)
{
	unsigned char b;
	unsigned char *p = &b;
	unsigned char copy = *p;
	assert(same(p, &copy) && *p == copy);
	b = 7;
	assert(*p == 7);
	return 0;
}
