#include <limits.h>

struct stats { int hits; struct { int bytes; int errors; } io; };

static struct stats s = { 0, { INT_MAX - 10, 0 } };

static void account(struct stats *st, int n)
{
	st->hits++;
	st->io.bytes += n;
}

int main(void)
{
	account(&s, 10);
	account(&s, 10);
	return s.hits;
}
