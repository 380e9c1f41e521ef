#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

int x;

void *f(void *arg) {
    __VERIFIER_atomic_begin();
    if (x < 3)
        x++;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_bool())
        pthread_create(&t, NULL, f, NULL);
    assert(x != 3);
    return 0;
}
