#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

int x;
sem_t done;

void *f(void *arg) {
    x = 1;
    sem_post(&done);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, f, NULL);
    pthread_detach(t);
    sem_wait(&done);
    assert(x == 1);
    return 0;
}
