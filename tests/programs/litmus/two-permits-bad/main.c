#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

sem_t s;
_Atomic int inside;

void *f(void *arg) {
    sem_wait(&s);
    int n = ++inside;
    assert(n <= 1);
    inside--;
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    sem_init(&s, 0, 2);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_create(&t3, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
