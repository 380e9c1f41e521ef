#include <limits.h>
#include <pthread.h>

static int used = INT_MAX - 10;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reserve(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	if (used <= INT_MAX - 10)
		used += 10;
	pthread_mutex_unlock(&lock);
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
