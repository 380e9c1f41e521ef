#include <pthread.h>

static int result[2];
static int number[2] = { 1, 2 };

static void *work(void *arg)
{
	int n = *(int *)arg;
	result[n] = n * 10;
	return 0;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, work, &number[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
