#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int a[2];

void *either(void *arg) {
    __VERIFIER_atomic_begin();
    a[__VERIFIER_nondet_bool()] = 1;
    __VERIFIER_atomic_end();
    return 0;
}

void *second(void *arg) {
    a[1] = 2;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, either, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
