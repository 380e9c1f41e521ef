#include <pthread.h>
#include <stdlib.h>

static _Thread_local char scratch[8];

static void *work(void *arg)
{
	scratch[0] = 1;
	free(scratch);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	return 0;
}
