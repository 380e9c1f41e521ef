#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int x;

void *f(void *arg) {
    unsigned char c = __VERIFIER_nondet_uchar();
    if (!(c <= 4))
        abort();
    x = c;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x < 4);
    return 0;
}
