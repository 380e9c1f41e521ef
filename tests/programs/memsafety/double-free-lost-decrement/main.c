#include <pthread.h>
#include <stdlib.h>

static void *block;
static int count = 2;

static void *put(void *arg)
{
	(void)arg;
	__atomic_fetch_sub(&count, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&count, __ATOMIC_SEQ_CST) == 0)
		free(block);
	return 0;
}

int main(void)
{
	pthread_t t;
	block = malloc(4);
	pthread_create(&t, 0, put, 0);
	put(0);
	pthread_join(t, 0);
	return 0;
}
