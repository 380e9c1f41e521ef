#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static int x;
static pthread_barrier_t never;

static void *f(void *arg) {
    x = 1;
    return &x;
}

static void *g(void *arg) {
    pthread_barrier_wait(&never);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    struct timespec now = {0, 0};
    void *result;
    pthread_barrier_init(&never, NULL, 2);
    assert(pthread_tryjoin_np(pthread_self(), NULL) == EBUSY);
    assert(pthread_timedjoin_np(pthread_self(), NULL, &now) == EDEADLK);

    pthread_create(&t, NULL, f, NULL);
    int code = pthread_tryjoin_np(t, &result);
    assert(code == 0 || code == EBUSY);
    if (code) {
        assert(pthread_clockjoin_np(t, &result, 7, &now) == EINVAL);
        code = pthread_timedjoin_np(t, &result, &now);
        assert(code == 0 || code == ETIMEDOUT);
    }
    if (code)
        assert(pthread_clockjoin_np(t, &result, CLOCK_MONOTONIC, NULL) == 0);
    assert(result == &x && x == 1);

    pthread_create(&u, NULL, g, NULL);
    assert(pthread_tryjoin_np(u, NULL) == EBUSY && pthread_timedjoin_np(u, NULL, &now) == ETIMEDOUT);
    return 0;
}
