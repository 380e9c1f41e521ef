#include <pthread.h>

#define N 3

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Atomic int x;
int got[N];

void *worker(void *arg) {
    int i = (int)(long)arg;
    x = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    got[i] = x;
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
