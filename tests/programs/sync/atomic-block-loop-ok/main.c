#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int n;

void add(void) {
    n = n + 1;
}

void *f(void *arg) {
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 3; i++)
        add();
    __VERIFIER_atomic_end();
    return 0;
}

void *g(void *arg) {
    __VERIFIER_atomic_begin();
    assert(n % 3 == 0);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
