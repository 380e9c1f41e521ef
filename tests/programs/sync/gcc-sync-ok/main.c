#include <pthread.h>
#include <assert.h>

int n, lock, c;

void *f(void *arg) {
    __sync_fetch_and_add(&n, 1);
    while (!__sync_bool_compare_and_swap(&lock, 0, 1))
        ;
    c = c + 1;
    __sync_bool_compare_and_swap(&lock, 1, 0);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2 && c == 2);
    return 0;
}
