#include <assert.h>
#include <pthread.h>
#include <string.h>

static long source[4] = { 1, 1, 1, 1 };
static long target[4];

static void *clear(void *arg)
{
	source[0] = 0;
	source[3] = 0;
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, clear, 0);
	memcpy(target, source, sizeof target);
	pthread_join(t, 0);
	assert(target[0] == target[3]);
	return 0;
}
