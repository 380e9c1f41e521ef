#include <assert.h>
#include <pthread.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static void *work(void *arg)
{
	int *n = arg;
	*n = fib(*n);
	return 0;
}

int main(void)
{
	int a = 5, b = 6;
	pthread_t t;
	pthread_create(&t, 0, work, &a);
	work(&b);
	pthread_join(t, 0);
	assert(a == 5 && b == 8);
	return 0;
}
