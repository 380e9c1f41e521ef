#include <assert.h>
#include <string.h>

int main(void)
{
	unsigned char a[8], b[8];
	memset(a, 0x5a, sizeof a);
	memcpy(b, a, sizeof b);
	assert(memcmp(a, b, 8) == 0);
	b[5] = 0x5b;
	assert(memcmp(a, b, 8) < 0 && memcmp(b, a, 8) > 0 && memcmp(a, b, 5) == 0);
	for (int i = 0; i < 8; i++)
		a[i] = (unsigned char)i;
	memmove(a + 2, a, 5);
	assert(a[1] == 1 && a[2] == 0 && a[6] == 4 && a[7] == 7);
	int v = 0x01020304, w;
	memcpy(&w, &v, sizeof w);
	assert(w == v);
	int zero[3] = { 1, 2, 3 };
	memset(zero, 0, sizeof zero);
	assert(zero[0] == 0 && zero[2] == 0);
	return 0;
}
