#include <pthread.h>
#include <semaphore.h>

#define N 2

sem_t s;
int x;

void *worker(void *arg) {
    sem_wait(&s);
    x = (int)(long)arg + 1;
    sem_post(&s);
    return 0;
}

int main(void) {
    sem_init(&s, 0, 1);
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
