#include <pthread.h>
#include <assert.h>

int n;

void __VERIFIER_atomic_inc(void) {
    n = n + 1;
}

void *f(void *arg) {
    __VERIFIER_atomic_inc();
    __VERIFIER_atomic_inc();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 4);
    return 0;
}
