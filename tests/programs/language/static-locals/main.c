#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int next_id(void)
{
	static int last = 100;
	pthread_mutex_lock(&lock);
	int id = ++last;
	pthread_mutex_unlock(&lock);
	return id;
}

static void *work(void *arg)
{
	*(int *)arg = next_id();
	return 0;
}

int main(void)
{
	int a, b;
	pthread_t t;
	pthread_create(&t, 0, work, &a);
	b = next_id();
	pthread_join(t, 0);
	assert(a != b && a + b == 203);
	assert(next_id() == 103);
	return 0;
}
