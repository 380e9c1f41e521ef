#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int n;

void *f(void *arg) {
    while (atomic_flag_test_and_set(&lock))
        ;
    n = n + 1;
    atomic_flag_clear(&lock);
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
