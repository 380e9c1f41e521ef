#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

union { int whole; char byte[4]; } u;
int y, own, a;

void *t(void *arg) {
    u.byte[0] = 1;
    own = u.whole;
    a = y;
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, t, 0);
    y = 1;
    atomic_thread_fence(memory_order_seq_cst);
    int b = u.whole;
    pthread_join(id, 0);
    assert(a || b);
    return 0;
}
