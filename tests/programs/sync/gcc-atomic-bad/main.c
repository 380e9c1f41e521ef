#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

int x, sum;

void *f(void *arg) {
    int old = __atomic_exchange_n(&x, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&sum, old, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(sum == 0);
    return 0;
}
