#include <assert.h>
#include <string.h>

struct item { short key; char tag; };

static void sort(void *base, int n, int size, int (*compare)(const void *, const void *))
{
	char *v = base, t[16];
	for (int i = 1; i < n; i++)
		for (int j = i; j > 0 && compare(v + (j - 1) * size, v + j * size) > 0; j--) {
			memcpy(t, v + j * size, size);
			memcpy(v + j * size, v + (j - 1) * size, size);
			memcpy(v + (j - 1) * size, t, size);
		}
}

static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_key(const void *a, const void *b)
{
	return ((const struct item *)b)->key - ((const struct item *)a)->key;
}

int main(void)
{
	int v[5] = { 4, 1, 5, 2, 3 };
	struct item s[3] = { { 1, 'a' }, { 9, 'b' }, { 5, 'c' } };
	sort(v, 5, sizeof v[0], by_int);
	sort(s, 3, sizeof s[0], by_key);
	for (int i = 0; i < 5; i++)
		assert(v[i] == i + 1);
	assert(s[0].tag == 'b' && s[1].tag == 'c' && s[2].tag == 'a');
	return 0;
}
