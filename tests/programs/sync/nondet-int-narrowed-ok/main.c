#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int a[3] = {1, 2, 3};
int r;

void *f(void *arg) {
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 3);
    r = a[i];
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(r >= 1 && r <= 3);
    return 0;
}
