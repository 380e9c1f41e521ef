#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

_Atomic int x;

void *f(void *arg) {
    x = 1;
    return 0;
}

void *g(void *arg) {
    __sync_fetch_and_add((int *)&x, 1);
    return 0;
}

void *h(void *arg) {
    __VERIFIER_atomic_begin();
    x = 5;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_create(&t3, NULL, h, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(x != 0);
    return 0;
}
