#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *make(void *arg)
{
	int *p = malloc(sizeof *p);
	*p = *(int *)arg;
	return p;
}

int main(void)
{
	pthread_t t;
	int one = 1, two = 2;
	void *theirs;
	pthread_create(&t, 0, make, &one);
	int *mine = make(&two);
	pthread_join(t, &theirs);
	assert(mine != theirs);
	assert(*mine == 2 && *(int *)theirs == 1);
	free(mine);
	free(theirs);
	return 0;
}
