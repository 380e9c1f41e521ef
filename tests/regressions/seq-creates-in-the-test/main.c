#include <pthread.h>
#include <assert.h>
int x;
void *adds(void *unused)
{
	__atomic_fetch_add(&x, 1, 5);
	__atomic_fetch_add(&x, 1, 5);
	assert(x < 4);
	return 0;
}
int main(void)
{
	pthread_t t;
	int i = 0;
	while (pthread_create(&t, 0, adds, 0), i < 1)
		i++;
	pthread_exit(0);
}
