#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;
int x, y;

void *f(void *arg) {
    x = 1;
    pthread_barrier_wait(&b);
    assert(y == 1);
    return 0;
}

void *g(void *arg) {
    y = 1;
    pthread_barrier_wait(&b);
    assert(x == 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&b, NULL, 1);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
