#include <pthread.h>

static int value = 1000000000;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *adder(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	value += 100000000;
	pthread_mutex_unlock(&lock);
	return 0;
}

static void *doubler(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	value *= 2;
	pthread_mutex_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t a, d;
	pthread_create(&d, 0, doubler, 0);
	pthread_create(&a, 0, adder, 0);
	pthread_join(d, 0);
	pthread_join(a, 0);
	return 0;
}
