#include <pthread.h>

static int config = 42;
static int *published;

static void *publisher(void *arg)
{
	(void)arg;
	published = &config;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, publisher, 0);
	int seen = *published;
	pthread_join(t, 0);
	return seen != 42;
}
