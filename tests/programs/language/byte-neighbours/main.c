#include <assert.h>
#include <pthread.h>

static struct { unsigned char left, right; } flags;
static char lane[2];

static void *one(void *arg)
{
	flags.left = 1;
	lane[0] = 'a';
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, one, 0);
	flags.right = 2;
	lane[1] = 'b';
	pthread_join(t, 0);
	assert(flags.left == 1 && flags.right == 2);
	assert(lane[0] == 'a' && lane[1] == 'b');
	return 0;
}
