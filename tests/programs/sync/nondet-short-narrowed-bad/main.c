#include <pthread.h>
#include <assert.h>

extern short __VERIFIER_nondet_short(void);
extern void __VERIFIER_assume(int);

int x;

void *f(void *arg) {
    short s = __VERIFIER_nondet_short();
    __VERIFIER_assume(s >= 3 && s <= 6);
    x = s;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x * x != 25);
    return 0;
}
