#include <limits.h>
#include <pthread.h>

static void *grow(void *arg)
{
	int *size = arg;
	*size = *size + 100;
	return 0;
}

int main(void)
{
	int small = 1, large = INT_MAX - 99;
	pthread_t a, b;
	pthread_create(&a, 0, grow, &small);
	pthread_create(&b, 0, grow, &large);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
