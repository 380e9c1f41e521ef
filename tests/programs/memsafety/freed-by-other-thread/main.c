#include <pthread.h>
#include <stdlib.h>

static int *message;

static void *consume(void *arg)
{
	(void)arg;
	free(message);
	return 0;
}

int main(void)
{
	pthread_t t;
	message = malloc(sizeof *message);
	*message = 1;
	pthread_create(&t, 0, consume, 0);
	int copy = *message;
	pthread_join(t, 0);
	return copy == 2;
}
