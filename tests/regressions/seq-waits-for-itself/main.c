#include <pthread.h>
#include <assert.h>
pthread_t mine;
int x;
void *waits(void *unused)
{
	x = 7;
	pthread_join(mine, 0);
	x = 8;
	return 0;
}
void *reads(void *unused)
{
	assert(x != 7);
	return 0;
}
int main(void)
{
	pthread_t other;
	pthread_create(&mine, 0, waits, 0);
	pthread_create(&other, 0, reads, 0);
	pthread_exit(0);
}
