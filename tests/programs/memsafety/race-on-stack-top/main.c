#include <pthread.h>

static int stack[1];
static int top;

static void *push(void *arg)
{
	if (top < 1) {
		stack[top] = arg != 0;
		top++;
	}
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, push, 0);
	push(&stack);
	pthread_join(t, 0);
	return 0;
}
