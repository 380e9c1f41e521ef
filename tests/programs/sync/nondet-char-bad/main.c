#include <pthread.h>
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

int x;

void *f(void *arg) {
    signed char c = __VERIFIER_nondet_char();
    x = c;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x >= 0);
    return 0;
}
