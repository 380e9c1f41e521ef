#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include <assert.h>

extern int pthread_mutex_clocklock(pthread_mutex_t *, clockid_t, const struct timespec *);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    struct timespec until = {0, 0};
    int result = pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &until);
    assert(result == 0);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    f(NULL);
    pthread_join(t, NULL);
    return 0;
}
