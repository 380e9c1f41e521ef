#include <assert.h>
#include <pthread.h>

static int total = 10;

static void *add(void *arg)
{
	total += *(int *)arg;
	return 0;
}

int main(void)
{
	pthread_t t;
	int five = 5, seven = 7;
	pthread_create(&t, 0, add, &five);
	add(&seven);
	pthread_join(t, 0);
	assert(total == 22);
	return 0;
}
