#include <assert.h>

static int slot[4];
static unsigned int head, tail;

static void put(int v) { slot[tail++ % 4] = v; }
static int get(void) { return slot[head++ % 4]; }

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 9; i++) {
		put(i);
		sum += get();
	}
	assert(sum == 36);
	return 0;
}
