#include <pthread.h>
#include <assert.h>

int n;

int __VERIFIER_atomic_get(void) {
    return n;
}

void __VERIFIER_atomic_set(int v) {
    n = v;
}

void *f(void *arg) {
    int v = __VERIFIER_atomic_get();
    __VERIFIER_atomic_set(v + 1);
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
