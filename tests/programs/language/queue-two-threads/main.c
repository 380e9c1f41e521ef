#include <assert.h>
#include <pthread.h>

static int slot[1], used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static void put(int v)
{
	pthread_mutex_lock(&lock);
	while (used == 1)
		pthread_cond_wait(&change, &lock);
	slot[used++] = v;
	pthread_cond_signal(&change);
	pthread_mutex_unlock(&lock);
}

static int take(void)
{
	pthread_mutex_lock(&lock);
	while (used == 0)
		pthread_cond_wait(&change, &lock);
	int v = slot[--used];
	pthread_cond_signal(&change);
	pthread_mutex_unlock(&lock);
	return v;
}

static void *producer(void *arg)
{
	put(1);
	put(2);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, producer, 0);
	int first = take();
	int second = take();
	pthread_join(t, 0);
	assert(first == 1 && second == 2);
	return 0;
}
