#include <pthread.h>

static int amount = 400000000;

static void *twice(void *arg)
{
	(void)arg;
	amount = amount + amount;
	return 0;
}

int main(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_t t;
		pthread_create(&t, 0, twice, 0);
		pthread_join(t, 0);
	}
	return 0;
}
