#include <pthread.h>

static int low = -1500000000, high = -1000000000;

static void *shift_window(void *arg)
{
	(void)arg;
	high = 1500000000;
	low = 1000000000;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, shift_window, 0);
	int span = high - low;
	pthread_join(t, 0);
	return span == 0;
}
