#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int x, y;

void *f(void *arg) {
    x = __VERIFIER_nondet_bool();
    return 0;
}

void *g(void *arg) {
    y = __VERIFIER_nondet_bool();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == y);
    return 0;
}
