#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

sem_t s;

void *f(void *arg) {
    sem_post(&s);
    sem_post(&s);
    return 0;
}

void *g(void *arg) {
    sem_wait(&s);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    int v;
    sem_init(&s, 0, 1);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    sem_getvalue(&s, &v);
    assert(v == 2);
    return 0;
}
