#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

_Atomic int x;

void *f(void *arg) {
    int e = (int)(long)arg;
    atomic_compare_exchange_strong(&x, &e, e + 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, f, (void *)2L);
    pthread_create(&t2, NULL, f, (void *)1L);
    pthread_create(&t3, NULL, f, (void *)0L);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(x != 3);
    return 0;
}
