#include <limits.h>
#include <pthread.h>

static int total = INT_MAX - 2;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int n)
{
	pthread_mutex_lock(&lock);
	total += n;
	pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
	(void)arg;
	add(1);
	return 0;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, worker, 0);
	add(1);
	pthread_join(a, 0);
	add(1);
	return 0;
}
