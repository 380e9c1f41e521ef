#include <pthread.h>
#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }

unsigned x;

void *f(void *arg) {
    x = __VERIFIER_nondet_uint();
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    if (x + 1 == 0)
        reach_error();
    return 0;
}
