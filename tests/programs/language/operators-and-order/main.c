#include <assert.h>

static int calls;

static int touch(int result)
{
	calls++;
	return result;
}

int main(void)
{
	int x = (touch(1), touch(5));
	assert(x == 5 && calls == 2);
	assert(!(touch(0) && touch(1)) && calls == 3);
	assert((touch(1) || touch(0)) && calls == 4);
	int y = calls > 3 ? touch(8) : touch(9);
	assert(y == 8 && calls == 5);
	int z = touch(0) ?: 6;
	assert(z == 6);
	int i = 1, j = (i++, i + 5);
	assert(i == 2 && j == 7);
	assert((3 > 2 > 1) == 0 && !!42 == 1 && (5 & 3 | 8) == 9);
	return 0;
}
