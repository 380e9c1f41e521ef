#include <assert.h>
#include <pthread.h>

static double value = 1.5;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *scale(void *arg)
{
	pthread_mutex_lock(&lock);
	value *= 2;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, scale, 0);
	pthread_mutex_lock(&lock);
	value += 0.25;
	pthread_mutex_unlock(&lock);
	pthread_join(t, 0);
	assert(value == 3.25 || value == 3.5);
	return 0;
}
