#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int main(void)
{
    pthread_attr_t a;
    int number;
    size_t size;
    void *base;
    char stack[1];
    struct sched_param p = {0};
    assert(pthread_attr_init(&a) == 0);
    assert(pthread_attr_getdetachstate(&a, &number) == 0 && number == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&a, 7) == EINVAL);
    assert(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_getdetachstate(&a, &number) == 0 && number == PTHREAD_CREATE_DETACHED);
    assert(pthread_attr_getinheritsched(&a, &number) == 0 && number == PTHREAD_INHERIT_SCHED);
    assert(pthread_attr_setinheritsched(&a, 3) == EINVAL && pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_getschedpolicy(&a, &number) == 0 && number == SCHED_OTHER);
    assert(pthread_attr_setschedpolicy(&a, -1) == EINVAL && pthread_attr_setschedpolicy(&a, SCHED_RR) == 0);
    assert(pthread_attr_setschedparam(&a, &p) == EINVAL);
    p.sched_priority = sched_get_priority_max(SCHED_RR);
    assert(p.sched_priority == 99 && sched_get_priority_min(SCHED_FIFO) == 1 && sched_get_priority_min(77) == -1);
    assert(pthread_attr_setschedparam(&a, &p) == 0);
    p.sched_priority = 0;
    assert(pthread_attr_getschedparam(&a, &p) == 0 && p.sched_priority == 99);
    assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS) == ENOTSUP && pthread_attr_setscope(&a, 5) == EINVAL);
    assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM) == 0 && pthread_attr_getscope(&a, &number) == 0 && number == 0);
    assert(pthread_attr_getguardsize(&a, &size) == 0 && size == 4096);
    assert(pthread_attr_setguardsize(&a, 1) == 0 && pthread_attr_getguardsize(&a, &size) == 0 && size == 1);
    assert(pthread_attr_setstacksize(&a, 1) == EINVAL && pthread_attr_setstacksize(&a, 65536) == 0);
    assert(pthread_attr_getstacksize(&a, &size) == 0 && size == 65536);
    assert(pthread_attr_setstack(&a, stack, 100) == EINVAL && pthread_attr_setstack(&a, stack, 32768) == 0);
    assert(pthread_attr_getstack(&a, &base, &size) == 0 && base == stack && size == 32768);
    assert(pthread_attr_destroy(&a) == 0);
    assert(pthread_setname_np(pthread_self(), "a name of sixteen") == ERANGE && pthread_setname_np(pthread_self(), "t") == 0);
    p.sched_priority = 1;
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &p) == EINVAL);
    return 0;
}
