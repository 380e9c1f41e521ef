// Section IV-C: the error needs a switch right after x = 1. The place behind it is also reached by y = 1, after which no
// switch is needed; if that node covers the other one and is not expanded for it, the error is missed.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x, y;

void *asserts(void *arg) {
    assert(x == 0);
    y = 2;  // so that others see y = 1
    return 0;
}

void *writes(void *arg) {
    if (__VERIFIER_nondet_int())
        y = 1;
    else
        x = 1;
    x = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, asserts, 0);
    pthread_create(&b, 0, writes, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
