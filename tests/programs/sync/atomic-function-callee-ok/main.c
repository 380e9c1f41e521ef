#include <pthread.h>
#include <assert.h>

int x, y;

void set(int *p) {
    *p = *p + 1;
}

void __VERIFIER_atomic_both(void) {
    set(&x);
    set(&y);
}

void __VERIFIER_atomic_check(void) {
    assert(x == y);
}

void *f(void *arg) {
    __VERIFIER_atomic_both();
    return 0;
}

void *g(void *arg) {
    __VERIFIER_atomic_check();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
