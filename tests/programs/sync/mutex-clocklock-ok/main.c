#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include <assert.h>

extern int pthread_mutex_clocklock(pthread_mutex_t *, clockid_t, const struct timespec *);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int inside;

void *f(void *arg) {
    struct timespec until = {0, 0};
    if (pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &until) == 0) {
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    f(NULL);
    pthread_join(t, NULL);
    return 0;
}
