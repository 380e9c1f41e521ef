#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

sem_t s;
int n;

void *f(void *arg) {
    sem_wait(&s);
    n = n + 1;
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&s, 0, 1);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    sem_destroy(&s);
    assert(n == 2);
    return 0;
}
