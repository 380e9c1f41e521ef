#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

int x;
sem_t s;

void *f(void *arg) {
    x = 7;
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_attr_t a;
    sem_init(&s, 0, 0);
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &a, f, NULL);
    pthread_attr_destroy(&a);
    sem_wait(&s);
    assert(x == 7);
    return 0;
}
