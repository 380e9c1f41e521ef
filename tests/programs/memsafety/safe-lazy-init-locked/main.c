#include <pthread.h>
#include <stdlib.h>

static int *cache;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *get(void *arg)
{
	pthread_mutex_lock(&lock);
	if (cache == 0)
		cache = malloc(4);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, get, 0);
	get(0);
	pthread_join(t, 0);
	free(cache);
	return 0;
}
