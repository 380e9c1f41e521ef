#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int x;

void *f(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    _Bool c = __VERIFIER_nondet_bool();
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    if (c)
        pthread_join(t1, NULL);
    int r = x;
    if (c)
        assert(r == 1);
    return 0;
}
