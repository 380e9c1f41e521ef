#include <pthread.h>
#include <semaphore.h>

sem_t s;

void *f(void *arg) {
    sem_wait(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    return 0;
}
