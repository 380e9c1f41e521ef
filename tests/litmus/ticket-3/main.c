#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3

_Atomic int next, serving;
int c;

void *worker(void *arg) {
    int mine = atomic_fetch_add(&next, 1);
    while (serving != mine)
        ;
    c++;
    serving = mine + 1;
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
