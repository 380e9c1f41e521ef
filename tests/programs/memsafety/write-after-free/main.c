#include <stdlib.h>

struct session { int user; int open; };

static void close_session(struct session *s)
{
	free(s);
	s->open = 0;
}

int main(void)
{
	struct session *s = calloc(1, sizeof *s);
	s->open = 1;
	close_session(s);
	return 0;
}
