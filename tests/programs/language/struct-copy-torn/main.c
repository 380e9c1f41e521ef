#include <assert.h>
#include <pthread.h>

struct sample { long a, b, c; };

static struct sample current = { 1, 1, 1 };

static void *update(void *arg)
{
	current.a = 2;
	current.b = 2;
	current.c = 2;
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, update, 0);
	struct sample copy = current;
	pthread_join(t, 0);
	assert(copy.a == copy.c);
	return 0;
}
