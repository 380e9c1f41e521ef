#include <pthread.h>
#include <stdlib.h>

static int copy;

static void *reader(void *arg)
{
	copy = *(int *)arg;
	return 0;
}

int main(void)
{
	pthread_t t;
	int *value = malloc(sizeof *value);
	*value = 9;
	pthread_create(&t, 0, reader, value);
	pthread_join(t, 0);
	free(value);
	return copy != 9;
}
