#include <pthread.h>
#include <semaphore.h>

pthread_t a, b;
sem_t s;

void *f(void *arg) {
    sem_wait(&s);
    pthread_join(b, NULL);
    return 0;
}

void *g(void *arg) {
    pthread_join(a, NULL);
    return 0;
}

int main(void) {
    sem_init(&s, 0, 0);
    pthread_create(&a, NULL, f, NULL);
    pthread_create(&b, NULL, g, NULL);
    sem_post(&s);
    pthread_exit(NULL);
}
