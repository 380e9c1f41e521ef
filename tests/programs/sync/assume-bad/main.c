#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_assume(int);

_Atomic int x;

void *f(void *arg) {
    x = 1;
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    int r = x;
    __VERIFIER_assume(r != 0);
    pthread_join(t1, NULL);
    assert(r == 2);
    return 0;
}
