// Figure 1 with the assertion as it is printed, which every execution violates.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int i, j, v[4];

void *first(void *arg) {
    v[i] = 1;
    v[i] = v[i] + 1;
    v[i] = v[j];
    return 0;
}

void *second(void *arg) {
    v[j] = -2;
    v[j] = v[j] + 1;
    v[i] = v[i] + 1;
    return 0;
}

int main(void) {
    i = __VERIFIER_nondet_int();
    j = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= i && i < 4 && 0 <= j && j < 4 && i != j);
    v[i] = 0;
    v[j] = 0;
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(v[j] >= 0);
    return 0;
}
