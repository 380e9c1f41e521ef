#include <assert.h>
#include <pthread.h>

static int ready;

static void *late(void *arg)
{
	assert(ready == 1);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, late, 0);
	ready = 1;
	return 0;
}
