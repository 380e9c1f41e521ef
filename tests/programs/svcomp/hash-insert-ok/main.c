#include <pthread.h>
#include <assert.h>

int table[3];

void *insert(void *arg) {
    int w = (int)(long)arg, h = 0;
    while (!__sync_bool_compare_and_swap(&table[h], 0, w))
        h = (h + 1) % 3;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, insert, (void *)5L);
    pthread_create(&t2, NULL, insert, (void *)8L);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(table[0] + table[1] == 13 && table[2] == 0);
    return 0;
}
