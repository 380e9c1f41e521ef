#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

int x = 1, y = 1, z;

void *f(void *arg) {
    if (__VERIFIER_nondet_bool())
        y = 0;
    else
        x = 0;
    return NULL;
}

void *g(void *arg) {
    __VERIFIER_atomic_begin();
    if (x == 0)
        z = 1;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(z == 0);
    return 0;
}
