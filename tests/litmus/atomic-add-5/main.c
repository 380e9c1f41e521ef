#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 5

_Atomic int x;

void *worker(void *arg) {
    atomic_fetch_add(&x, 1);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(x == N);
    return 0;
}
