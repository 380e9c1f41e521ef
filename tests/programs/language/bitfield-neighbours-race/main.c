#include <assert.h>
#include <pthread.h>

static struct { unsigned int left : 4, right : 4; } flags;

static void *set_left(void *arg)
{
	flags.left = 1;
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, set_left, 0);
	flags.right = 1;
	pthread_join(t, 0);
	assert(flags.left == 1 && flags.right == 1);
	return 0;
}
