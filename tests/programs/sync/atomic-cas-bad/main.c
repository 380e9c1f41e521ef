#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int n;

void *f(void *arg) {
    int r = atomic_load(&n);
    atomic_compare_exchange_strong(&n, &r, r + 1);
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
