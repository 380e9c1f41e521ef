#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *make(void *arg)
{
	int *p = malloc(sizeof *p);
	*p = *(int *)arg + 1;
	return p;
}

int main(void)
{
	pthread_t t;
	int input = 41;
	void *result;
	pthread_create(&t, 0, make, &input);
	pthread_join(t, &result);
	assert(*(int *)result == 42);
	free(result);
	return 0;
}
