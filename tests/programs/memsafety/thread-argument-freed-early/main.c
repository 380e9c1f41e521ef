#include <pthread.h>
#include <stdlib.h>

static int sum;

static void *add(void *arg)
{
	int *pair = arg;
	sum = pair[0] + pair[1];
	return 0;
}

int main(void)
{
	pthread_t t;
	int *pair = malloc(2 * sizeof *pair);
	pair[0] = 1;
	pair[1] = 2;
	pthread_create(&t, 0, add, pair);
	free(pair);
	pthread_join(t, 0);
	return 0;
}
