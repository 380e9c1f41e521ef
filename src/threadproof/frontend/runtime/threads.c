/* Threads. */

#include "runtime.h"

int pthread_once(void *control, void (*routine)(void))
{
    if (__threadproof_once_enter(control)) {
        routine();
        __threadproof_once_leave(control);
    }
    return 0;
}

void call_once(void *control, void (*routine)(void))
{
    pthread_once(control, routine);
}

enum { thrd_success = 0, thrd_busy = 1, thrd_timedout = 4 };

int mtx_trylock(void *mutex)
{
    return __threadproof_mutex_trylock(mutex) == 0 ? thrd_success : thrd_busy;
}

int mtx_timedlock(void *mutex, const void *until)
{
    return __threadproof_mutex_timedlock(mutex) == 0 ? thrd_success : thrd_timedout;
}

int cnd_timedwait(void *condition, void *mutex, const void *until)
{
    return __threadproof_cond_timedwait(condition, mutex) == 0 ? thrd_success : thrd_timedout;
}
