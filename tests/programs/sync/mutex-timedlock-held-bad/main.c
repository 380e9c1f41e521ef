#include <pthread.h>
#include <assert.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    struct timespec ts = {0, 0};
    assert(pthread_mutex_timedlock(&m, &ts) == 0);
    return 0;
}

int main(void) {
    pthread_mutex_lock(&m);
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    return 0;
}
