#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    struct timespec now = {0, 0};
    volatile clockid_t boot = CLOCK_BOOTTIME, real = CLOCK_REALTIME;
    assert(pthread_mutex_clocklock(&m, CLOCK_BOOTTIME, &now) == EINVAL);
    assert(pthread_mutex_clocklock(&m, boot, &now) == EINVAL && pthread_mutex_clocklock(&m, real, &now) == 0);
    assert(pthread_cond_clockwait(&c, &m, boot, &now) == EINVAL);
    assert(pthread_rwlock_clockrdlock(&w, boot, &now) == EINVAL);
    assert(pthread_rwlock_clockwrlock(&w, -1, &now) == EINVAL && pthread_rwlock_trywrlock(&w) == 0);
    return 0;
}
