#include <pthread.h>

static int seen;

static void *reader(void *arg)
{
	seen = *(int *)arg;
	return 0;
}

static void start(pthread_t *t)
{
	int parameter = 8;
	pthread_create(t, 0, reader, &parameter);
}

int main(void)
{
	pthread_t t;
	start(&t);
	pthread_join(t, 0);
	return 0;
}
