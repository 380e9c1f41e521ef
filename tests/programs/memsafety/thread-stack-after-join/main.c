#include <pthread.h>

static int *progress;

static void *work(void *arg)
{
	int done = 3;
	progress = &done;
	(void)arg;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	return *progress;
}
