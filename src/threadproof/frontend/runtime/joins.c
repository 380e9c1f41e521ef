/* Joins that do not wait for ever. A thread that has done its last step may take any time to be gone, so that it is not
   yet is always possible; that it is is tried in an atomic block, where waiting is no deadlock. */

#include "runtime.h"

enum { EBUSY = 16, EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110, DISABLED = 1 };

int pthread_join(unsigned long thread, void **result);
int pthread_setcancelstate(int state, int *old);

struct time_pair {
    long seconds;
    long nanoseconds;
};

static int join_now(unsigned long thread, void **result)
{
    int state, code;
    __VERIFIER_atomic_begin();
    pthread_setcancelstate(DISABLED, &state);
    code = pthread_join(thread, result);
    pthread_setcancelstate(state, 0);
    __VERIFIER_atomic_end();
    return code;
}

int pthread_tryjoin_np(unsigned long thread, void **result)
{
    if (thread == __threadproof_self() || __VERIFIER_nondet_bool())
        return EBUSY;
    return join_now(thread, result);
}

int pthread_clockjoin_np(unsigned long thread, void **result, int clock, const struct time_pair *until)
{
    if (!until)
        return pthread_join(thread, result);
    long seconds = until->seconds;
    if ((unsigned long)until->nanoseconds >= 1000000000)
        __threadproof_unsupported("a join until a time that is none");
    if (clock != 0 && clock != 1)
        return EINVAL;
    if (thread == __threadproof_self())
        return EDEADLK;
    pthread_testcancel();
    return __VERIFIER_nondet_bool() ? ETIMEDOUT : join_now(thread, result);
}

int pthread_timedjoin_np(unsigned long thread, void **result, const struct time_pair *until)
{
    return pthread_clockjoin_np(thread, result, 0, until);
}
