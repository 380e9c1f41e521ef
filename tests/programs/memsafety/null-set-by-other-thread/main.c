#include <pthread.h>

static int value = 7;
static int *shared = &value;

static void *retire(void *arg)
{
	(void)arg;
	shared = 0;
	return 0;
}

int main(void)
{
	pthread_t t;
	int got = 0;
	pthread_create(&t, 0, retire, 0);
	if (shared != 0)
		got = *shared;
	pthread_join(t, 0);
	return got == 3;
}
