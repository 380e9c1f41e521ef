#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void)
{
    pthread_mutexattr_t m;
    pthread_condattr_t c;
    pthread_rwlockattr_t r;
    pthread_barrierattr_t b;
    int number;
    clockid_t clock;
    assert(pthread_mutexattr_init(&m) == 0);
    assert(pthread_mutexattr_settype(&m, 55) == EINVAL && pthread_mutexattr_settype(&m, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutexattr_setpshared(&m, 2) == EINVAL && pthread_mutexattr_setpshared(&m, 1) == 0);
    assert(pthread_mutexattr_getpshared(&m, &number) == 0 && number == 1);
    assert(pthread_mutexattr_setprotocol(&m, 3) == EINVAL && pthread_mutexattr_setprotocol(&m, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_getprotocol(&m, &number) == 0 && number == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_setprioceiling(&m, 0) == EINVAL && pthread_mutexattr_setprioceiling(&m, 100) == EINVAL);
    assert(pthread_mutexattr_setprioceiling(&m, 50) == 0);
    assert(pthread_mutexattr_getprioceiling(&m, &number) == 0 && number == 50);
    assert(pthread_mutexattr_setrobust(&m, 2) == EINVAL && pthread_mutexattr_setrobust(&m, 0) == 0);
    assert(pthread_mutexattr_getrobust(&m, &number) == 0 && number == 0);
    assert(pthread_mutexattr_gettype(&m, &number) == 0 && number == PTHREAD_MUTEX_RECURSIVE);
    assert(pthread_mutexattr_destroy(&m) == 0);

    assert(pthread_condattr_init(&c) == 0);
    assert(pthread_condattr_setclock(&c, 7) == EINVAL && pthread_condattr_setclock(&c, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_setpshared(&c, -1) == EINVAL && pthread_condattr_setpshared(&c, 1) == 0);
    assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_getpshared(&c, &number) == 0 && number == 1 && pthread_condattr_destroy(&c) == 0);

    assert(pthread_rwlockattr_init(&r) == 0);
    assert(pthread_rwlockattr_setkind_np(&r, 9) == EINVAL && pthread_rwlockattr_setkind_np(&r, 1) == 0);
    assert(pthread_rwlockattr_setpshared(&r, 3) == EINVAL && pthread_rwlockattr_setpshared(&r, 1) == 0);
    assert(pthread_rwlockattr_getkind_np(&r, &number) == 0 && number == 1);
    assert(pthread_rwlockattr_getpshared(&r, &number) == 0 && number == 1 && pthread_rwlockattr_destroy(&r) == 0);

    assert(pthread_barrierattr_init(&b) == 0);
    assert(pthread_barrierattr_setpshared(&b, 3) == EINVAL && pthread_barrierattr_setpshared(&b, 1) == 0);
    assert(pthread_barrierattr_getpshared(&b, &number) == 0 && number == 1 && pthread_barrierattr_destroy(&b) == 0);
    return 0;
}
