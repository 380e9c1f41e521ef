#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Atomic int x;
int c;

void *f(void *arg) {
    x = 1;
    if (c)
        x = 2;
    return 0;
}

int main(void) {
    c = __VERIFIER_nondet_bool();
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x == 1 + c);
    return 0;
}
