#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;
int first;

void *f(void *arg) {
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
        first = 1;
    return 0;
}

void *g(void *arg) {
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
        first = 2;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(first == 1);
    return 0;
}
