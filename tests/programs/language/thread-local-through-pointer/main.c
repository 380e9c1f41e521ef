#include <assert.h>
#include <pthread.h>

static _Thread_local int counter;

static void *work(void *arg)
{
	int *main_counter = arg;
	assert(main_counter != &counter);
	counter = 1;
	*main_counter = 2;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, &counter);
	int seen = counter;
	pthread_join(t, 0);
	assert(counter == 2);
	assert(seen == 0);
	return 0;
}
