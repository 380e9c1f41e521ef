#include <pthread.h>
#include <semaphore.h>

int **shown;
sem_t begun, read_it, again, written;

void show(int *given) {
    int *own = given;
    shown = &own;
    sem_post(&begun);
    sem_wait(&read_it);
}

void *work(void *arg) {
    sem_wait(&begun);
    int *seen = *shown;
    sem_post(&read_it);
    sem_wait(&again);
    *seen = 1; // the x of the first round, in the second
    sem_post(&written);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&begun, 0, 0);
    sem_init(&read_it, 0, 0);
    sem_init(&again, 0, 0);
    sem_init(&written, 0, 0);
    pthread_create(&t, 0, work, 0);
    for (int i = 0; i < 2; i++) {
        int x = 0;
        if (i == 0) {
            show(&x);
        } else {
            sem_post(&again);
            sem_wait(&written);
        }
    }
    pthread_join(t, 0);
    return 0;
}
