#include <pthread.h>
#include <stdatomic.h>

#define N 4

_Atomic int x;

void *worker(void *arg) {
    int expected = 0;
    if (atomic_compare_exchange_strong(&x, &expected, 1))
        x = 2;
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
