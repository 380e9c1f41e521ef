#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int n = 5;

void *f(void *arg) {
    int e = 4;
    _Bool done = atomic_compare_exchange_strong(&n, &e, 9);
    assert(!done && e == 5 && n == 5);
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    return 0;
}
