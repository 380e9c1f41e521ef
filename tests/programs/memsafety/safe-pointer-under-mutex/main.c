#include <pthread.h>
#include <stdlib.h>

static int *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *retire(void *arg)
{
	pthread_mutex_lock(&lock);
	free(shared);
	shared = 0;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	shared = malloc(sizeof *shared);
	*shared = 7;
	pthread_create(&t, 0, retire, 0);
	pthread_mutex_lock(&lock);
	if (shared)
		++*shared;
	pthread_mutex_unlock(&lock);
	pthread_join(t, 0);
	return 0;
}
