#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include <assert.h>

extern int pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int data;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    data = 7;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    struct timespec until = {0, 0};
    pthread_create(&t, NULL, f, NULL);
    pthread_mutex_lock(&m);
    if (data == 0)
        pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &until);
    assert(data == 7);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
