#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;
_Atomic int serial, zero;

void *f(void *arg) {
    int r = pthread_barrier_wait(&b);
    if (r == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    else if (r == 0)
    zero++;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(serial == 1 && zero == 1);
    return 0;
}
