#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

_Atomic int n;

void *f(void *arg) {
    n = 2;
    n = 3;
    return 0;
}

int main(void) {
    pthread_t t;
    int i = 0;
    pthread_create(&t, 0, f, 0);
    while (i < n)
        i++;
    assert(i <= 3);
    return 0;
}
