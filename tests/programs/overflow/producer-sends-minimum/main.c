#include <limits.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int slot, full;

static void *consumer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	while (!full)
		pthread_cond_wait(&filled, &lock);
	int flipped = -slot;
	pthread_mutex_unlock(&lock);
	return flipped == 3 ? arg : 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, consumer, 0);
	pthread_mutex_lock(&lock);
	slot = INT_MIN;
	full = 1;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
	pthread_join(t, 0);
	return 0;
}
