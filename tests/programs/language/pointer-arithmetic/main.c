#include <assert.h>
#include <stddef.h>

int main(void)
{
	long a[6] = { 0, 10, 20, 30, 40, 50 };
	long *p = a + 4, *q = &a[1];
	ptrdiff_t d = p - q;
	assert(d == 3 && q - p == -3);
	assert(*(p - 2) == 20 && p[-4] == 0);
	assert((char *)p - (char *)q == 3 * (ptrdiff_t)sizeof(long));
	assert(q < p && p >= a && a + 6 > p);
	q += d;
	assert(q == p);
	assert(*q-- == 40 && *q == 30 && *++q == 40);
	assert(2[a] == 20);
	return 0;
}
