#include <pthread.h>
#include <semaphore.h>

#define N 3

sem_t s;

void *worker(void *arg) {
    sem_wait(&s);
    sem_post(&s);
    return 0;
}

int main(void) {
    sem_init(&s, 0, 2);
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
