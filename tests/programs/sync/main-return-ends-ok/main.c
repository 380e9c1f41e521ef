#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

void reach_error(void) { assert(0); }

sem_t s;

void *f(void *arg) {
    sem_wait(&s);
    reach_error();
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, f, NULL);
    return 0;
}
