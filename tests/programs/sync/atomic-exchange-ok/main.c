#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int taken;
atomic_int winners;

void *f(void *arg) {
    if (atomic_exchange(&taken, 1) == 0)
        atomic_fetch_add(&winners, 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(winners == 1);
    return 0;
}
