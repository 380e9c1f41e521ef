#include <assert.h>
#include <pthread.h>

static void *square(void *arg)
{
	int *cell = arg;
	*cell = *cell * *cell;
	return 0;
}

static int sum_of_squares(int a, int b)
{
	int cell[2] = { a, b };
	pthread_t s, t;
	pthread_create(&s, 0, square, &cell[0]);
	pthread_create(&t, 0, square, &cell[1]);
	pthread_join(s, 0);
	pthread_join(t, 0);
	return cell[0] + cell[1];
}

int main(void)
{
	assert(sum_of_squares(3, 4) == 25);
	return 0;
}
