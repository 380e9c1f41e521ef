#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int x;
void *f(void *arg) {
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, 0);
    pthread_create(&c, 0, f, 0);
    
    pthread_join(a, 0);
    
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(x == 3);
    return 0;
}
