#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#include <time.h>

sem_t s;
int x;

void *writer(void *arg) {
    x = 1;
    sem_post(&s);
    return 0;
}

void *reader(void *arg) {
    struct timespec ts = {0, 0};
    sem_timedwait(&s, &ts);
    assert(x == 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&s, 0, 0);
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
