#include <limits.h>
#include <pthread.h>

static int used = INT_MAX - 10;

static void *reserve(void *arg)
{
	(void)arg;
	if (used <= INT_MAX - 10)
		used += 10;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, reserve, 0);
	reserve(0);
	pthread_join(t, 0);
	return 0;
}
