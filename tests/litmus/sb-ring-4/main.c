#include <pthread.h>

#define N 4

_Atomic int v[N];
int got[N];

void *worker(void *arg) {
    int i = (int)(long)arg;
    v[i] = 1;
    got[i] = v[(i + 1) % N];
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
