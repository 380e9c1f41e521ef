#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
void assume_abort_if_not(int cond) {
    if (!cond)
        abort();
}

int x;

void *f(void *arg) {
    unsigned char c = __VERIFIER_nondet_uchar();
    assume_abort_if_not(c < 4);
    x = c + 1;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x >= 1 && x <= 4);
    return 0;
}
