/* Threads. */

#include "runtime.h"

enum { EINVAL = 22, EAGAIN = 11, EOVERFLOW = 75, ETIMEDOUT = 110 };

struct time_pair {
    long seconds;
    long nanoseconds;
};

/* What an operation gives that waits until then in vain. */
int __threadproof_late(const struct time_pair *until)
{
    long seconds = until->seconds;
    return (unsigned long)until->nanoseconds >= 1000000000 ? EINVAL : ETIMEDOUT;
}

static int is_duration(const struct time_pair *time)
{
    return time->seconds >= 0 && (unsigned long)time->nanoseconds < 1000000000;
}

int nanosleep(const struct time_pair *time, struct time_pair *left)
{
    if (!is_duration(time)) {
        __threadproof_set_errno(EINVAL);
        return -1;
    }
    pthread_testcancel();
    return 0;
}

int thrd_sleep(const struct time_pair *time, struct time_pair *left)
{
    if (!is_duration(time))
        return -2;
    pthread_testcancel();
    return 0;
}

int pthread_once(void *control, void (*routine)(void))
{
    void *guard[3];
    if (__threadproof_once_enter(control)) {
        __threadproof_once_guard(guard, control);
        routine();
        __threadproof_once_unguard(guard);
        __threadproof_once_leave(control);
    }
    return 0;
}

void call_once(void *control, void (*routine)(void))
{
    pthread_once(control, routine);
}

/* Semaphores of programs that ask for errno, or close some. */
static int failed(int code)
{
    __threadproof_set_errno(code);
    return -1;
}

int sem_init(void *semaphore, int shared, unsigned value)
{
    return __threadproof_sem_init(semaphore, shared, value) ? failed(EINVAL) : 0;
}

int sem_wait(void *semaphore)
{
    __threadproof_sem_must_be_open(semaphore);
    return __threadproof_sem_wait(semaphore);
}

int sem_getvalue(void *semaphore, int *value)
{
    __threadproof_sem_must_be_open(semaphore);
    return __threadproof_sem_getvalue(semaphore, value);
}

int sem_trywait(void *semaphore)
{
    __threadproof_sem_must_be_open(semaphore);
    return __threadproof_sem_trywait(semaphore) ? failed(EAGAIN) : 0;
}

int sem_timedwait(void *semaphore, const struct time_pair *until)
{
    __threadproof_sem_must_be_open(semaphore);
    int late = __threadproof_late(until);
    return __threadproof_sem_timedwait(semaphore, until) ? failed(late) : 0;
}

int sem_clockwait(void *semaphore, int clock, const struct time_pair *until)
{
    return clock != 0 && clock != 1 ? failed(EINVAL) : sem_timedwait(semaphore, until);
}

int sem_post(void *semaphore)
{
    __threadproof_sem_must_be_open(semaphore);
    return __threadproof_sem_post(semaphore) ? failed(EOVERFLOW) : 0;
}

int __threadproof_cancels(void) { return 1; }

static _Thread_local int cancel_type;

int pthread_setcanceltype(int type, int *old)
{
    if (type != 0 && type != 1)
        return EINVAL;
    if (type == 1)
        __threadproof_unsupported("asynchronous cancellation");
    if (old)
        *old = cancel_type;
    cancel_type = type;
    return 0;
}
