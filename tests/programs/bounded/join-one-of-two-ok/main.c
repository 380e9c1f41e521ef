#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int done[2];

void *f(void *arg) {
    done[(long)arg] = 1;
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, f, (void *)0);
    pthread_create(&t[1], 0, f, (void *)1);
    _Bool which = __VERIFIER_nondet_bool();
    pthread_join(t[which], 0);
    assert(done[which]);
    return 0;
}
