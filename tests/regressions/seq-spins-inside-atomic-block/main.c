#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int lock = 1, x;
void *spin(void *unused)
{
	__VERIFIER_atomic_begin();
	while (lock) {
		__VERIFIER_atomic_end();
		__VERIFIER_atomic_begin();
	}
	lock = 1;
	__VERIFIER_atomic_end();
	return 0;
}
void *writer(void *unused)
{
	x = 1;
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, spin, 0);
	pthread_create(&u, 0, writer, 0);
	assert(x != 1);
	return 0;
}
