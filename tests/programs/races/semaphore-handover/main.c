#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

sem_t s;
int x;

void *f(void *arg) {
    x = 1;
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, f, NULL);
    sem_wait(&s);
    assert(x == 1);
    x = 2;
    return 0;
}
