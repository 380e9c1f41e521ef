#include <pthread.h>
#include <stdlib.h>

static void *compute(void *arg)
{
	int *answer = malloc(sizeof *answer);
	*answer = 42;
	(void)arg;
	return answer;
}

int main(void)
{
	pthread_t t;
	void *answer;
	pthread_create(&t, 0, compute, 0);
	pthread_join(t, &answer);
	free(answer);
	return *(int *)answer != 42;
}
