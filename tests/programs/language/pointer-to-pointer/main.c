#include <assert.h>

static int a = 1, b = 2;

static void swap(int **x, int **y)
{
	int *t = *x;
	*x = *y;
	*y = t;
}

int main(void)
{
	int *p = &a, *q = &b;
	int **pp = &p, ***ppp = &pp;
	swap(&p, &q);
	assert(*p == 2 && *q == 1 && a == 1);
	***ppp = 20;
	assert(b == 20);
	*pp = &a;
	assert(**pp == 1 && p == q);
	const char *argv[] = { "run", "-v", 0 }, **arg = argv;
	int count = 0;
	while (*arg++)
		count++;
	assert(count == 2 && arg[-2][1] == 'v');
	return 0;
}
