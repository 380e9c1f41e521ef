#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <assert.h>

pthread_mutex_t m;
pthread_cond_t c;
int n;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    n = n + 1;
    pthread_yield();
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_attr_t attr;
    pthread_mutexattr_t mattr;
    pthread_condattr_t cattr;
    struct sched_param param = {0};

    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_setstacksize(&attr, 65536) == 0);
    assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM) == 0);
    pthread_setconcurrency(2);
    pthread_mutexattr_init(&mattr);
    assert(pthread_mutexattr_setpshared(&mattr, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_mutexattr_setprotocol(&mattr, PTHREAD_PRIO_NONE) == 0);
    pthread_mutex_init(&m, &mattr);
    pthread_mutexattr_destroy(&mattr);
    pthread_condattr_init(&cattr);
    assert(pthread_condattr_setclock(&cattr, CLOCK_MONOTONIC) == 0);
    pthread_cond_init(&c, &cattr);
    pthread_condattr_destroy(&cattr);

    pthread_create(&t, &attr, f, NULL);
    pthread_attr_destroy(&attr);
    pthread_setschedparam(t, SCHED_OTHER, &param);
    pthread_setname_np(t, "worker");
    f(NULL);
    pthread_join(t, NULL);
    assert(n == 2);
    pthread_cond_destroy(&c);
    pthread_mutex_destroy(&m);
    return 0;
}
