#include <pthread.h>

pthread_barrier_t b;

void *f(void *arg) {
    pthread_barrier_wait(&b);
    return 0;
}

void *g(void *arg) {
    pthread_barrier_wait(&b);
    pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
