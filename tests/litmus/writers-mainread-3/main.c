#include <pthread.h>

#define N 3

_Atomic int x;
int seen;

void *worker(void *arg) {
    x = (int)(long)arg + 1;
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    seen = x;
    return 0;
}
