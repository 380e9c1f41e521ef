#include <pthread.h>

#define N 4

#define READERS 2

_Atomic int x, y[READERS];
int got[READERS];

void *worker(void *arg) {
    int i = (int)(long)arg;
    if (i == READERS) {
        x = 1;
    } else if (i > READERS) {
        for (int k = 0; k < READERS; k++)
            y[k] = 1;
    } else if (!y[i]) {
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
