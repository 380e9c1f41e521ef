#include <pthread.h>
#include <semaphore.h>

extern _Bool __VERIFIER_nondet_bool(void);

sem_t s;

void *f(void *arg) {
    sem_wait(&s);
    return 0;
}

void *g(void *arg) {
    if (__VERIFIER_nondet_bool())
        sem_post(&s);
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
