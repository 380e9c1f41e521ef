#include <assert.h>

enum colour { RED, GREEN = 5, BLUE, ALIAS = GREEN, LOW = -2, NEXT };

static const char *const name[] = { [RED] = "red", [GREEN] = "green", [BLUE] = "blue" };

static enum colour turn(enum colour c)
{
	switch (c) {
	case RED: return GREEN;
	case GREEN: return BLUE;
	default: return RED;
	}
}

int main(void)
{
	assert(BLUE == 6 && NEXT == -1 && ALIAS == GREEN);
	assert(turn(turn(RED)) == BLUE && turn(LOW) == RED);
	assert(name[BLUE][0] == 'b' && name[1] == 0);
	assert(sizeof name / sizeof name[0] == 7);
	return 0;
}
