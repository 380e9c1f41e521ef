#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct data { int a, b; };

static struct data storage;
static _Atomic(struct data *) ready;

static void *producer(void *arg)
{
	storage.a = 3;
	storage.b = 4;
	ready = &storage;
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, producer, 0);
	struct data *d = ready;
	if (d)
		assert(d->a * d->a + d->b * d->b == 25);
	pthread_join(t, 0);
	return 0;
}
