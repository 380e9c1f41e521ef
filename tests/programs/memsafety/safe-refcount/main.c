#include <pthread.h>
#include <stdlib.h>

struct shared { int count; int value; };

static void put(struct shared *s)
{
	if (__atomic_sub_fetch(&s->count, 1, __ATOMIC_SEQ_CST) == 0)
		free(s);
}

static void *user(void *arg)
{
	struct shared *s = arg;
	int v = s->value;
	put(s);
	return v == 5 ? 0 : arg;
}

int main(void)
{
	pthread_t t;
	struct shared *s = malloc(sizeof *s);
	s->count = 2;
	s->value = 5;
	pthread_create(&t, 0, user, s);
	put(s);
	pthread_join(t, 0);
	return 0;
}
