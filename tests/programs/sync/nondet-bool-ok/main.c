#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int x;

void *f(void *arg) {
    x = __VERIFIER_nondet_bool();
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x == 0 || x == 1);
    return 0;
}
