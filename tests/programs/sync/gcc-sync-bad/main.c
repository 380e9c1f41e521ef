#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

int lock, wins;

void *f(void *arg) {
    int old = __sync_val_compare_and_swap(&lock, 0, 1);
    if (old == 0)
        __sync_add_and_fetch(&wins, 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    if (wins != 2)
        reach_error();
    return 0;
}
