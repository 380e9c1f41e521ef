#include <pthread.h>
#include <semaphore.h>

sem_t a, b;

void *f(void *arg) {
    sem_wait(&a);
    sem_post(&b);
    return 0;
}

void *g(void *arg) {
    sem_wait(&b);
    sem_post(&a);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&a, 0, 0);
    sem_init(&b, 0, 0);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
