#include <limits.h>
#include <pthread.h>

static int hits = INT_MAX - 3;

static void *hit(void *arg)
{
	(void)arg;
	hits++;
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, hit, 0);
	pthread_create(&b, 0, hit, 0);
	hits++;
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
