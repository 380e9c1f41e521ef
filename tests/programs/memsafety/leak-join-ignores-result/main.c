#include <pthread.h>
#include <stdlib.h>

static void *make(void *arg)
{
	int *p = malloc(sizeof *p);
	(void)arg;
	*p = 1;
	return p;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, make, 0);
	pthread_join(t, 0);
	return 0;
}
