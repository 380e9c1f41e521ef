#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

sem_t s;
int x;

void *f(void *arg) {
    sem_post(&s);
    x = 1;
    return 0;
}

void *g(void *arg) {
    sem_wait(&s);
    assert(x == 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&s, 0, 0);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
