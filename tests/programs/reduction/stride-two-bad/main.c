#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

unsigned char x;

void *f(void *arg) {
    while (__VERIFIER_nondet_bool()) {
        __VERIFIER_atomic_begin();
        x += 2;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

void *g(void *arg) {
    __VERIFIER_atomic_begin();
    x += 4;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t2, NULL);
    assert(x % 4 == 0);
    return 0;
}
