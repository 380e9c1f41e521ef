#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t fork_[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
sem_t seats;

void *phil(void *arg) {
    long i = (long)arg;
    sem_wait(&seats);
    pthread_mutex_lock(&fork_[i]);
    pthread_mutex_lock(&fork_[1 - i]);
    pthread_mutex_unlock(&fork_[1 - i]);
    pthread_mutex_unlock(&fork_[i]);
    sem_post(&seats);
    return 0;
}

int main(void) {
    pthread_t t[2];
    sem_init(&seats, 0, 1);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, phil, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
