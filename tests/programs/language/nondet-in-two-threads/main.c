#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static int choice[2];

static void *choose(void *arg)
{
	*(int *)arg = __VERIFIER_nondet_bool();
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, choose, &choice[0]);
	choose(&choice[1]);
	pthread_join(t, 0);
	assert(choice[0] == choice[1]);
	return 0;
}
