#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int sequence = INT_MAX - 2;

static void *next(void *arg)
{
	(void)arg;
	__VERIFIER_atomic_begin();
	sequence = sequence + 1;
	__VERIFIER_atomic_end();
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, next, 0);
	next(0);
	pthread_join(t, 0);
	assert(sequence == INT_MAX);
	return 0;
}
