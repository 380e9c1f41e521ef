#include <pthread.h>
#include <stdlib.h>

static char *cache;

static void *drop(void *arg)
{
	(void)arg;
	if (cache) {
		free(cache);
		cache = 0;
	}
	return 0;
}

int main(void)
{
	pthread_t t;
	cache = malloc(8);
	pthread_create(&t, 0, drop, 0);
	drop(0);
	pthread_join(t, 0);
	return 0;
}
