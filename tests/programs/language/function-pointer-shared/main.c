#include <assert.h>
#include <pthread.h>

static int slow(void) { return 1; }
static int fast(void) { return 2; }

static int (*handler)(void) = slow;

static void *install(void *arg)
{
	handler = fast;
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, install, 0);
	int r = handler();
	assert(r == 1 || r == 2);
	assert(r == 1);
	pthread_join(t, 0);
	return 0;
}
