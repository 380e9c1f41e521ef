#include <pthread.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int x;
void *waits(void *unused)
{
	x = __VERIFIER_nondet_uchar();
	if (x == 77 && __VERIFIER_nondet_uchar() == 33)
		x = 700;
	pthread_join(pthread_self(), 0);
	return 0;
}
void *reads(void *unused)
{
	assert(x != 700);
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, waits, 0);
	pthread_create(&u, 0, reads, 0);
	pthread_exit(0);
}
