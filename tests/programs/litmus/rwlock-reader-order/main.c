#include <pthread.h>
#include <assert.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x, a, b;

void *w(void *arg) {
    pthread_rwlock_wrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
    return 0;
}

void *f(void *arg) {
    pthread_rwlock_rdlock(&l);
    a = x;
    pthread_rwlock_unlock(&l);
    return 0;
}

void *g(void *arg) {
    pthread_rwlock_rdlock(&l);
    b = x;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, w, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_create(&t3, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(!(a == 1 && b == 0));
    return 0;
}
