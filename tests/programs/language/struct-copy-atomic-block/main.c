#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct sample { int a, b, c; };

static struct sample current = { 1, 1, 1 };
static const struct sample next = { 2, 2, 2 };

static void *update(void *arg)
{
	__VERIFIER_atomic_begin();
	current = next;
	__VERIFIER_atomic_end();
	return arg;
}

int main(void)
{
	pthread_t t;
	struct sample copy;
	pthread_create(&t, 0, update, 0);
	__VERIFIER_atomic_begin();
	copy = current;
	__VERIFIER_atomic_end();
	pthread_join(t, 0);
	assert(copy.a == copy.b && copy.b == copy.c);
	return 0;
}
