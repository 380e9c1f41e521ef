#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int y;
void *spin(void *unused)
{
	y = 1;
	__VERIFIER_atomic_begin();
	while (1) {
		__VERIFIER_atomic_end();
		__VERIFIER_atomic_begin();
	}
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, spin, 0);
	assert(y != 1);
	return 0;
}
