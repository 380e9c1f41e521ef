#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int x;
void *f(void *arg) {
    return (void *)(long)__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST);
}

int main(void) {
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, 0);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert((long)first < (long)second);
    return 0;
}
