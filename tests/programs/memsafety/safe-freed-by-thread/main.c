#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int sum;

static void *consume(void *arg)
{
	int *pair = arg;
	sum = pair[0] + pair[1];
	free(pair);
	return 0;
}

int main(void)
{
	pthread_t t;
	int *pair = malloc(2 * sizeof *pair);
	pair[0] = 3;
	pair[1] = 4;
	pthread_create(&t, 0, consume, pair);
	pthread_join(t, 0);
	assert(sum == 7);
	return 0;
}
