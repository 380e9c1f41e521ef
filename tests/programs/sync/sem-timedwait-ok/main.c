#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#include <time.h>

sem_t s;
int entered;

void *f(void *arg) {
    struct timespec ts = {0, 0};
    if (sem_timedwait(&s, &ts) == 0)
        entered = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(!entered);
    return 0;
}
