#include <assert.h>
#include <pthread.h>

int lock, n, in0, in1;

void *t1(void *arg) {
    if (__sync_lock_test_and_set(&lock, 1) == 0) {
        n = n + 1;
        lock = 0;
        in0 = 1;
    }
    return 0;
}

void *t2(void *arg) {
    if (__sync_lock_test_and_set(&lock, 1) == 0) {
        n = n + 1;
        lock = 0;
        in1 = 1;
    }
    return 0;
}

int main(void) {
    pthread_t id1, id2;
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    assert(n == in0 + in1);
    return 0;
}
