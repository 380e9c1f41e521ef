#include <pthread.h>

#define N 7

_Atomic int a[7];

void *worker(void *arg) {
    int i = (int)(long)arg;
    if (i == 0) {
        int k = 6;
        while (a[k] != 0)
            k--;
    } else {
        a[i] = a[i - 1] + 1;
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
