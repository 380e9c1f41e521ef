#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int won[2];
static int id[2] = { 1, 2 };

static void *claim(void *arg)
{
	int me = *(int *)arg, expected = 0;
	if (atomic_compare_exchange_strong(&owner, &expected, me))
		won[me - 1] = 1;
	else
		assert(expected == 3 - me);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, claim, &id[0]);
	claim(&id[1]);
	pthread_join(t, 0);
	assert(won[0] + won[1] == 1);
	assert(won[owner - 1] == 1);
	return 0;
}
