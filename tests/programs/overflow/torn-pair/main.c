#include <pthread.h>

static int width = 100000, height = 10;

static void *rotate(void *arg)
{
	(void)arg;
	int w = width;
	width = height;
	height = w;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, rotate, 0);
	int h = height;
	int w = width;
	int area = w * h;
	h = height;
	area = w * h;
	pthread_join(t, 0);
	return area == 0;
}
