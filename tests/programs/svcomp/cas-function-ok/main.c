#include <pthread.h>
#include <assert.h>

int value;

int __VERIFIER_atomic_read(void) {
    return value;
}

int __VERIFIER_atomic_cas(int *p, int old, int new) {
    if (*p != old)
        return 0;
    *p = new;
    return 1;
}

void *thr(void *arg) {
    int v;
    do {
        v = __VERIFIER_atomic_read();
    } while (!__VERIFIER_atomic_cas(&value, v, v + 1));
    assert(__VERIFIER_atomic_read() > v);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, thr, NULL);
    pthread_create(&t2, NULL, thr, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(value == 2);
    return 0;
}
