#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

sem_t s;
int n;

void *f(void *arg) {
    if (sem_trywait(&s) == 0) {
        n = n + 1;
        assert(n == 1);
        n = n - 1;
        sem_post(&s);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&s, 0, 1);
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
