#include <pthread.h>

static int ring[4] = { 1, 2, 3, 4 };
static int position = 3;

static void *advance(void *arg)
{
	(void)arg;
	position = position + 1;
	return 0;
}

int main(void)
{
	pthread_t t;
	int value = 0;
	pthread_create(&t, 0, advance, 0);
	if (position < 4)
		value = ring[position];
	pthread_join(t, 0);
	return value == 9;
}
