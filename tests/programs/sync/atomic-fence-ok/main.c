#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

_Atomic int x, y;
int r;

void *f(void *arg) {
    x = 1;
    atomic_thread_fence(memory_order_seq_cst);
    y = 1;
    return 0;
}

void *g(void *arg) {
    int a = y;
    atomic_thread_fence(memory_order_seq_cst);
    int b = x;
    r = !(a == 1 && b == 0);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r);
    return 0;
}
