#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

_Atomic int x;
int won[2];

void *f(void *arg) {
    int e = 0;
    won[(long)arg] = atomic_compare_exchange_strong(&x, &e, 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, (void *)0L);
    pthread_create(&t2, NULL, f, (void *)1L);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(won[0] + won[1] == 1);
    return 0;
}
