#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

_Atomic int l;
int c;

void *worker(void *arg) {
    int expected = 0;
    while (!atomic_compare_exchange_strong(&l, &expected, 1))
        expected = 0;
    c++;
    l = 0;
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(c == 3);
    return 0;
}
