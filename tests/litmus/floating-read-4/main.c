#include <pthread.h>

#define N 5

_Atomic int x;
int got;

void *worker(void *arg) {
    int i = (int)(long)arg;
    if (i < N - 1)
        x = i + 1;
    else
        got = x;
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
