#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
	int *task = arg;
	*task = 1;
	free(task);
	return 0;
}

int main(void)
{
	pthread_t t;
	int *task = malloc(sizeof *task);
	pthread_create(&t, 0, work, task);
	pthread_join(t, 0);
	free(task);
	return 0;
}
