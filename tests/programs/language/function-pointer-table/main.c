#include <assert.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static const operation table[] = { add, sub, mul };

struct command { const char *name; operation run; };

static int apply(operation f, int a, int b)
{
	return f ? f(a, b) : -1;
}

int main(void)
{
	struct command c = { "times", &mul };
	assert(table[0](7, 5) == 12 && (*table[1])(7, 5) == 2);
	assert(apply(table[2], 7, 5) == 35 && apply(0, 1, 1) == -1);
	assert(c.run(3, 4) == 12 && c.run == table[2] && c.run != add);
	c.run = c.run == mul ? sub : add;
	assert(c.run(3, 4) == -1);
	return 0;
}
