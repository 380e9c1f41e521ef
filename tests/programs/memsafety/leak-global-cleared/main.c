#include <stdlib.h>

static struct state { int *counts; int n; } s;

static void reset(void)
{
	s = (struct state){ 0, 0 };
}

int main(void)
{
	s.counts = calloc(4, sizeof(int));
	s.n = 4;
	reset();
	return 0;
}
