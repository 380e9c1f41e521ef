#include <pthread.h>
#include <stdatomic.h>

#define N 14

#define SIZE 128

_Atomic int table[SIZE];

void *worker(void *arg) {
    int i = (int)(long)arg;
    for (int m = 1; m <= 4; m++) {
        int w = m * 11 + i;
        int h = w * 7 % SIZE;
        for (;;) {
            int empty = 0;
            if (atomic_compare_exchange_strong(&table[h], &empty, w))
                break;
            h = (h + 1) % SIZE;
        }
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
