#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int n;

void *f(void *arg) {
    atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(atomic_load_explicit(&n, memory_order_relaxed) == 2);
    return 0;
}
