#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_assume(int);
extern char __VERIFIER_nondet_char(void);

char c;

void *f(void *arg) {
    char own = __VERIFIER_nondet_char();
    __VERIFIER_assume(own < 0);
    c = own;
    return NULL;
}

void *g(void *arg) {
    char seen = c;
    __VERIFIER_assume(seen < 0);
    __VERIFIER_assume(seen > 0);
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
