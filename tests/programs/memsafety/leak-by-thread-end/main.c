#include <pthread.h>
#include <stdlib.h>

static int total;

static void *work(void *arg)
{
	int *scratch = malloc(2 * sizeof *scratch);
	scratch[0] = 1;
	scratch[1] = 2;
	total = scratch[0] + scratch[1];
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	return total != 3;
}
