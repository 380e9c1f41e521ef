#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *negate(void *arg)
{
	intptr_t n = (intptr_t)arg;
	return (void *)-n;
}

int main(void)
{
	pthread_t t[2];
	void *r[2];
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], 0, negate, (void *)(i + 5));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], &r[i]);
	assert((intptr_t)r[0] == -5 && (intptr_t)r[1] == -6);
	return 0;
}
