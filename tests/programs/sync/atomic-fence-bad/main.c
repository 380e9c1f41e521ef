#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

int n;

void *f(void *arg) {
    int r = n;
    atomic_thread_fence(memory_order_seq_cst);
    n = r + 1;
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
