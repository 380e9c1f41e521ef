#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

int n;

void *f(void *arg) {
    int e = __atomic_load_n(&n, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(&n, &e, e + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2);
    return 0;
}
