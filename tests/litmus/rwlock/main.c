#include <pthread.h>

pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int d;

void *f(void *arg) {
    pthread_rwlock_rdlock(&rw);
    int r = d;
    (void)r;
    pthread_rwlock_unlock(&rw);
    return 0;
}

void *g(void *arg) {
    pthread_rwlock_rdlock(&rw);
    int r = d;
    (void)r;
    pthread_rwlock_unlock(&rw);
    return 0;
}

void *h(void *arg) {
    pthread_rwlock_wrlock(&rw);
    d = 1;
    pthread_rwlock_unlock(&rw);
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, f, 0);
    pthread_create(&t2, 0, g, 0);
    pthread_create(&t3, 0, h, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    return 0;
}
