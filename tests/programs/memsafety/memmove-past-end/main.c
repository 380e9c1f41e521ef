#include <string.h>

static int queue[4] = { 1, 2, 3, 4 };

static void insert_front(int v)
{
	memmove(queue + 1, queue, sizeof queue);
	queue[0] = v;
}

int main(void)
{
	insert_front(0);
	return queue[0];
}
