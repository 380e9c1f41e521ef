#include <pthread.h>
#include <stdlib.h>

struct shared { int value; };

static struct shared *object;
static int released;

static void *user(void *arg)
{
	(void)arg;
	int v = object->value;
	released = 1;
	return v == 5 ? &released : 0;
}

int main(void)
{
	pthread_t t;
	object = malloc(sizeof *object);
	object->value = 5;
	pthread_create(&t, 0, user, 0);
	released = 1;
	if (released)
		free(object);
	pthread_join(t, 0);
	return 0;
}
