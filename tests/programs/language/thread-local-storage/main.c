#include <assert.h>
#include <pthread.h>

static __thread int level = 5;
static _Thread_local struct { int a; int *p; } own;

static void *work(void *arg)
{
	assert(level == 5 && own.a == 0 && own.p == 0);
	level += 10;
	own.p = &own.a;
	*own.p = 3;
	assert(level == 15 && own.a == 3);
	return arg;
}

int main(void)
{
	pthread_t t;
	level = 7;
	own.a = 1;
	pthread_create(&t, 0, work, 0);
	level++;
	pthread_join(t, 0);
	assert(level == 8 && own.a == 1 && own.p == 0);
	return 0;
}
