#include <pthread.h>
#include <assert.h>

int value;

int __VERIFIER_atomic_read(void) {
    return value;
}

void __VERIFIER_atomic_cas(int *p, int old, int new, int *done) {
    *done = 0;
    if (*p == old) {
        *p = new;
        *done = 1;
    }
}

void *thr(void *arg) {
    int v, done;
    do {
        v = __VERIFIER_atomic_read();
        __VERIFIER_atomic_cas(&value, v, v + 1, &done);
    } while (!done);
    assert(__VERIFIER_atomic_read() == v + 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thr, NULL);
    pthread_create(&t2, NULL, thr, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
