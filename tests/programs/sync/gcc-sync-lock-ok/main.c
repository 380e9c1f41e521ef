#include <pthread.h>
#include <assert.h>

int lock, n;

void *f(void *arg) {
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    __sync_synchronize();
    n = n + 1;
    __sync_lock_release(&lock);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2);
    return 0;
}
