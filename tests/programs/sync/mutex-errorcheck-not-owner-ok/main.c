#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <errno.h>

pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

void *f(void *arg) {
    assert(pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    return 0;
}

int main(void) {
    pthread_mutex_lock(&m);
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_mutex_unlock(&m);
    return 0;
}
