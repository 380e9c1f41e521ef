#include <stdlib.h>

struct buffer { char *data; int size; };

static void release(struct buffer *b)
{
	free(b->data);
	b->data = 0;
}

int main(void)
{
	struct buffer a = { malloc(4), 4 };
	struct buffer b = a;
	release(&a);
	release(&b);
	return 0;
}
