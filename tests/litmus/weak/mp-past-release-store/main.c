#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x, z;
_Atomic int y;
int a, b;

void *t1(void *arg) {
    x = 1;
    atomic_store_explicit(&y, 1, memory_order_release);
    z = 1;
    return 0;
}

void *t2(void *arg) {
    a = z;
    b = x;
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(!(a == 1 && b == 0));
    return 0;
}
