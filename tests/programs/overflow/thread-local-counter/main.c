#include <limits.h>
#include <pthread.h>

static _Thread_local int depth = INT_MAX - 2;

static void enter(void)
{
	depth++;
}

static void *worker(void *arg)
{
	(void)arg;
	enter();
	enter();
	enter();
	return 0;
}

int main(void)
{
	pthread_t t;
	enter();
	pthread_create(&t, 0, worker, 0);
	enter();
	pthread_join(t, 0);
	return 0;
}
