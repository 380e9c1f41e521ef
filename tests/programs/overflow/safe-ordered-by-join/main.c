#include <assert.h>
#include <pthread.h>

static int value = 1000000000;

static void *doubler(void *arg)
{
	(void)arg;
	value *= 2;
	return 0;
}

static void *adder(void *arg)
{
	(void)arg;
	value += 100000000;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, doubler, 0);
	pthread_join(t, 0);
	pthread_create(&t, 0, adder, 0);
	pthread_join(t, 0);
	assert(value == 2100000000);
	return 0;
}
