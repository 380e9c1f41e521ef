#include <pthread.h>

static int result[2];

static void *work(void *arg)
{
	int *slot = arg;
	*slot = 1200000000;
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, &result[0]);
	pthread_create(&b, 0, work, &result[1]);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return result[0] + result[1] == 0;
}
