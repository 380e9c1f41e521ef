#include <pthread.h>
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int x;

void *f(void *arg) {
    x = __VERIFIER_nondet_uchar();
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x * 3 != 519);
    return 0;
}
