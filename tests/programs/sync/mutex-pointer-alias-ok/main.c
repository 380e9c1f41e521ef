#include <pthread.h>
#include <assert.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *p = &m, *q = &m;
int n;

void *f(void *arg) {
    pthread_mutex_lock(p);
    n = n + 1;
    pthread_mutex_unlock(p);
    return 0;
}

void *g(void *arg) {
    pthread_mutex_lock(q);
    n = n + 1;
    pthread_mutex_unlock(q);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2);
    return 0;
}
