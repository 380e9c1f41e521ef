#include <assert.h>
#include <pthread.h>

static int trail[3], used;

static void *leaf(void *arg)
{
	trail[used++] = 2;
	return arg;
}

static void *branch(void *arg)
{
	pthread_t t;
	void *r;
	trail[used++] = 1;
	pthread_create(&t, 0, leaf, arg);
	pthread_join(t, &r);
	trail[used++] = 3;
	return r;
}

int main(void)
{
	pthread_t t;
	void *r;
	int cookie;
	pthread_create(&t, 0, branch, &cookie);
	pthread_join(t, &r);
	assert(r == &cookie && used == 3);
	assert(trail[0] == 1 && trail[1] == 2 && trail[2] == 3);
	return 0;
}
