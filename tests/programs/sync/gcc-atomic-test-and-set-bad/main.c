#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

_Bool lock;
int n;

void *f(void *arg) {
    while (__atomic_test_and_set(&lock, __ATOMIC_SEQ_CST))
        ;
    n = n + 1;
    __atomic_clear(&lock, __ATOMIC_SEQ_CST);
    return 0;
}

void *g(void *arg) {
    n = n + 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2);
    return 0;
}
