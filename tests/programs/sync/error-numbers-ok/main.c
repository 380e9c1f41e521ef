#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;

void keys(void)
{
    pthread_key_t k, other;
    assert(pthread_setspecific(900, 0) == EINVAL && pthread_key_delete(500) == EINVAL);
    assert(pthread_key_create(&k, 0) == 0 && pthread_setspecific(k, &k) == 0 && pthread_getspecific(k) == &k);
    assert(pthread_key_delete(k) == 0 && pthread_key_delete(k) == EINVAL && pthread_setspecific(k, 0) == EINVAL);
    assert(pthread_key_create(&other, 0) == 0 && pthread_getspecific(other) == 0);
}

void times(void)
{
    struct timespec wrong = {0, 2000000000}, past = {0, 0}, negative = {-1, 0};
    sem_t s;
    assert(pthread_mutex_timedlock(&m, &past) == 0 && pthread_mutex_timedlock(&m, &past) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&m, &wrong) == EINVAL && pthread_mutex_clocklock(&m, CLOCK_REALTIME, &past) == ETIMEDOUT);
    assert(pthread_cond_timedwait(&c, &m, &wrong) == EINVAL);
    assert(pthread_mutex_destroy(&m) == EBUSY && pthread_mutex_unlock(&m) == 0);
    assert(pthread_rwlock_timedrdlock(&r, &wrong) == EINVAL && pthread_rwlock_timedwrlock(&r, &past) == 0);
    assert(pthread_rwlock_timedwrlock(&r, &past) == EDEADLK && pthread_rwlock_unlock(&r) == 0);
    assert(pthread_rwlock_clockrdlock(&r, CLOCK_MONOTONIC, &past) == 0);
    assert(pthread_rwlock_clockwrlock(&r, CLOCK_MONOTONIC, &past) == ETIMEDOUT && pthread_rwlock_unlock(&r) == 0);
    assert(sem_init(&s, 0, 2147483648u) == -1 && errno == EINVAL && sem_init(&s, 0, 1) == 0);
    assert(sem_timedwait(&s, &past) == 0 && sem_timedwait(&s, &past) == -1 && errno == ETIMEDOUT);
    assert(sem_timedwait(&s, &wrong) == -1 && errno == EINVAL && sem_clockwait(&s, 9, &past) == -1 && errno == EINVAL);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN && sem_init(&s, 0, 2147483647) == 0);
    assert(sem_post(&s) == -1 && errno == EOVERFLOW && sem_destroy(&s) == 0);
    assert(nanosleep(&wrong, 0) == -1 && errno == EINVAL && nanosleep(&negative, 0) == -1 && nanosleep(&past, 0) == 0);
    assert(thrd_sleep(&wrong, 0) == -2 && thrd_sleep(&past, 0) == 0);
}

void errorcheck(void)
{
    assert(pthread_cond_wait(&c, &e) == EPERM && pthread_mutex_unlock(&e) == EPERM && pthread_mutex_lock(&e) == 0);
    assert(pthread_mutex_lock(&e) == EDEADLK && pthread_mutex_trylock(&e) == EBUSY && pthread_mutex_unlock(&e) == 0);
    assert(pthread_mutex_destroy(&e) == 0);
}

void *sleeper(void *p) { return 0; }

void threads(void)
{
    pthread_barrier_t b;
    pthread_t t;
    int old;
    assert(pthread_setcancelstate(77, &old) == EINVAL);
    assert(pthread_barrier_init(&b, 0, 0) == EINVAL && pthread_barrier_init(&b, 0, 0x7fffffff) == EINVAL);
    assert(pthread_detach(pthread_self()) == 0 && pthread_detach(pthread_self()) == EINVAL);
}

void c11(void)
{
    mtx_t plain, again;
    cnd_t cond;
    struct timespec past = {0, 0};
    assert(mtx_init(&plain, mtx_timed) == thrd_success);
    assert(mtx_lock(&plain) == thrd_success && mtx_trylock(&plain) == thrd_busy);
    assert(mtx_timedlock(&plain, &past) == thrd_timedout);
    assert(cnd_init(&cond) == thrd_success);
    int woken = cnd_timedwait(&cond, &plain, &past);
    assert(woken == thrd_timedout || woken == thrd_success);
    assert(mtx_init(&again, mtx_recursive) == thrd_success && mtx_unlock(&again) == thrd_error);
    assert(tss_set(900, 0) == thrd_error);
    cnd_destroy(&cond);
    mtx_destroy(&again);
}

int main(void)
{
    keys();
    times();
    errorcheck();
    threads();
    c11();
    return 0;
}
