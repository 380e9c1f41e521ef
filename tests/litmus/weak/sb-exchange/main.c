#include <assert.h>
#include <pthread.h>

int x, y;
int a, b;

void *t1(void *arg) {
    __atomic_exchange_n(&x, 1, __ATOMIC_RELAXED);
    a = y;
    return 0;
}

void *t2(void *arg) {
    __atomic_exchange_n(&y, 1, __ATOMIC_SEQ_CST);
    b = x;
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(!(a == 0 && b == 0));
    return 0;
}
