#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *quit(void *arg)
{
	(void)arg;
	exit(0);
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, quit, 0);
	pthread_join(t, 0);
	assert(0);
	return 0;
}
