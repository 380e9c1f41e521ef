#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char x;

void *f(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x < 5);
    x++;
    __VERIFIER_atomic_end();
    return NULL;
}

void *g(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x < 5);
    x++;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    x = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(x <= 5);
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x <= 5);
    return 0;
}
