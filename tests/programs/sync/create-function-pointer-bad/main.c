#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int x;

void *one(void *arg) {
    x = 1;
    return 0;
}

void *two(void *arg) {
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    void *(*fn)(void *) = one;
    if (__VERIFIER_nondet_bool())
        fn = two;
    pthread_create(&t, NULL, fn, NULL);
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
