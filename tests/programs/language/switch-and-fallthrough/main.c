#include <assert.h>

static int classify(int c)
{
	int r = 0;
	switch (c) {
	default:
		r += 100;
		break;
	case 1:
		r += 1;
		/* fall through */
	case 2:
		r += 2;
		break;
	case 3 ... 5:
		r += 5;
	}
	return r;
}

static int copy(int n)
{
	int done = 0, rounds = (n + 3) / 4;
	switch (n % 4) {
	case 0: do { done++;
	case 3:      done++;
	case 2:      done++;
	case 1:      done++;
		} while (--rounds > 0);
	}
	return done;
}

int main(void)
{
	assert(classify(1) == 3 && classify(2) == 2 && classify(4) == 5 && classify(-7) == 100);
	assert(copy(7) == 7 && copy(8) == 8 && copy(1) == 1);
	switch (0x100000000LL) {
	case 0:
		assert(0);
	case 0x100000000LL:
		break;
	}
	return 0;
}
