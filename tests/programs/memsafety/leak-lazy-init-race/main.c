#include <pthread.h>
#include <stdlib.h>

static int *cache;

static void *get(void *arg)
{
	(void)arg;
	if (cache == 0)
		cache = malloc(4);
	return 0;
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
