#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int hits;
static _Atomic unsigned char mask;
static atomic_flag once = ATOMIC_FLAG_INIT;
static int firsts;

static void *work(void *arg)
{
	atomic_fetch_add(&hits, 2);
	mask |= *(unsigned char *)arg;
	if (!atomic_flag_test_and_set(&once))
		firsts++;
	return 0;
}

int main(void)
{
	pthread_t t;
	unsigned char low = 1, high = 0x80;
	pthread_create(&t, 0, work, &low);
	work(&high);
	pthread_join(t, 0);
	assert(atomic_load(&hits) == 4 && mask == 0x81 && firsts == 1);
	return 0;
}
