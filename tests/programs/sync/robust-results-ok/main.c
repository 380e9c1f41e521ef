#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m, plain = PTHREAD_MUTEX_INITIALIZER;

static void *dies(void *p) { assert(pthread_mutex_lock(&m) == 0); return 0; }
static void *dies_again(void *p) { assert(pthread_mutex_lock(&m) == EOWNERDEAD); if (p) pthread_mutex_consistent(&m); pthread_exit(0); }
static void run(void *(*f)(void *), void *p) { pthread_t t; pthread_create(&t, 0, f, p); pthread_join(t, 0); }

int main(void)
{
    pthread_mutexattr_t a;
    int robust;
    assert(pthread_mutexattr_init(&a) == 0);
    assert(pthread_mutexattr_getrobust(&a, &robust) == 0 && robust == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_setrobust(&a, 2) == EINVAL);
    assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutexattr_getrobust(&a, &robust) == 0 && robust == PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutex_init(&m, &a) == 0);

    assert(pthread_mutex_unlock(&m) == EPERM && pthread_mutex_consistent(&m) == EINVAL);
    assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_trylock(&m) == EBUSY && pthread_mutex_unlock(&m) == 0);
    run(dies, 0);
    assert(pthread_mutex_consistent(&m) == EINVAL);
    run(dies_again, 0);
    assert(pthread_mutex_consistent(&m) == 0);
    run(dies_again, &m);
    assert(pthread_mutex_consistent(&m) == EINVAL);
    assert(pthread_mutex_trylock(&m) == EOWNERDEAD && pthread_mutex_trylock(&m) == EBUSY);
    assert(pthread_mutex_consistent(&m) == 0 && pthread_mutex_consistent(&m) == EINVAL);
    assert(pthread_mutex_unlock(&m) == 0 && pthread_mutex_unlock(&m) == EPERM);

    run(dies, 0);
    struct timespec soon = {0, 0};
    assert(pthread_mutex_timedlock(&m, &soon) == EOWNERDEAD);
    assert(pthread_mutex_timedlock(&m, &soon) == ETIMEDOUT);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
    assert(pthread_mutex_timedlock(&m, &soon) == ENOTRECOVERABLE && pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_mutex_consistent(&m) == EINVAL && pthread_mutex_destroy(&m) == 0);

    assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE) == 0 && pthread_mutex_init(&m, &a) == 0);
    run(dies, 0);
    assert(pthread_mutex_lock(&m) == EOWNERDEAD && pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == ENOTRECOVERABLE);
    assert(pthread_mutex_consistent(&m) == 0 && pthread_mutex_trylock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0 && pthread_mutex_unlock(&m) == EPERM && pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_destroy(&m) == 0);

    assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK) == 0 && pthread_mutex_init(&m, &a) == 0);
    run(dies, 0);
    assert(pthread_mutex_lock(&m) == EOWNERDEAD && pthread_mutex_lock(&m) == EDEADLK);
    assert(pthread_mutex_trylock(&m) == EDEADLK && pthread_mutex_timedlock(&m, &soon) == EDEADLK);

    assert(pthread_mutex_lock(&plain) == 0 && pthread_mutex_trylock(&plain) == EBUSY && pthread_mutex_destroy(&plain) == EBUSY);
    assert(pthread_mutex_unlock(&plain) == 0 && pthread_mutex_consistent(&plain) == EINVAL);
    return 0;
}
