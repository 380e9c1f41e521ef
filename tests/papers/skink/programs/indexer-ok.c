#include <pthread.h>
#include <assert.h>

#define SIZE 128
#define MOST 4
#define THREADS 13
int table[SIZE];

static void *thread(void *arg) {
    int id = (int)(long)arg;
    for (int m = 0; m < MOST; m++) {
        int w = (m + 1) * 11 + id, h = w * 7 % SIZE;
        int expected = 0;
        assert(h >= 0);
        while (!__atomic_compare_exchange_n(&table[h], &expected, w, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            h = (h + 1) % SIZE;
            expected = 0;
        }
    }
    return 0;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, thread, (void *)(long)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
