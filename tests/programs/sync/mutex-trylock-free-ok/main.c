#include <pthread.h>
#include <assert.h>
#include <errno.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    assert(pthread_mutex_trylock(&m) == EBUSY);
    return 0;
}

int main(void) {
    assert(pthread_mutex_trylock(&m) == 0);
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_mutex_unlock(&m);
    assert(pthread_mutex_trylock(&m) == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
