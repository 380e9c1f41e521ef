#include <pthread.h>

#define N 5

_Atomic int x;
int got[5];

void *worker(void *arg) {
    int i = (int)(long)arg;
    if (i == 0) {
        x = 1;
    } else {
        got[i] = x;
    }
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
