#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;
int x;

void *f(void *arg) {
    x = 1;
    pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, f, NULL);
    pthread_barrier_wait(&b);
    assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
