#include <pthread.h>

#define N 2

_Atomic int x;

void *worker(void *arg) {
    int r = x;
    x = r + 1;
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
