#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

int data, flag, n;

void *f(void *arg) {
    data = 3;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
    return 0;
}

void *g(void *arg) {
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        assert(data == 3);
    __atomic_add_fetch(&n, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2);
    return 0;
}
