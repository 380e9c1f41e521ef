#include <pthread.h>
#include <assert.h>

int lock, x;

void *f(void *arg) {
    while (!__sync_bool_compare_and_swap(&lock, 0, 1))
        ;
    x = x + 1;
    lock = 0;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2);
    return 0;
}
