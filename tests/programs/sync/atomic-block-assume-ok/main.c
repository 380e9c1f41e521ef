#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_assume(int);

int lock, n;

void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(lock == 0);
    lock = 1;
}

void __VERIFIER_atomic_release(void) {
    lock = 0;
}

void *f(void *arg) {
    __VERIFIER_atomic_acquire();
    n = n + 1;
    __VERIFIER_atomic_release();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2);
    return 0;
}
