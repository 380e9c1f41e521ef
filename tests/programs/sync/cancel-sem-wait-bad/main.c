#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

sem_t s;
int x;

void *f(void *arg) {
    sem_wait(&s);
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, NULL, f, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
