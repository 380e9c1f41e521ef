#include <assert.h>
#include <pthread.h>

struct sample { int a, b; };

static struct sample current = { 1, 1 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *update(void *arg)
{
	pthread_mutex_lock(&lock);
	current.a = 2;
	current.b = 2;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, update, 0);
	pthread_mutex_lock(&lock);
	struct sample copy = current;
	pthread_mutex_unlock(&lock);
	pthread_join(t, 0);
	assert(copy.a == copy.b);
	return 0;
}
