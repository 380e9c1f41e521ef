/* Waiting for a word of memory: syscall(SYS_futex). One mutex keeps looking at the word and joining its waiters together. */

#include "runtime.h"

enum { EAGAIN = 11, EINVAL = 22, ETIMEDOUT = 110 };
enum { WAIT = 0, WAKE = 1, PRIVATE = 128 };
#if __SIZEOF_POINTER__ == 8
enum { SYS_futex = 202, SYS_gettid = 186 };
#else
enum { SYS_futex = 240, SYS_gettid = 224 };
#endif

static long guard[5];
int gettid(void);
static int waiting; /* threads that wait for some word; under the guard */

static long failed(int code)
{
    __threadproof_set_errno(code);
    return -1;
}

static long futex_wait(int *word, int expected, const void *timeout)
{
    int late = 0;
    pthread_mutex_lock(guard);
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != expected) {
        pthread_mutex_unlock(guard);
        return failed(EAGAIN);
    }
    waiting++;
    if (timeout)
        late = pthread_cond_timedwait(word, guard, timeout);
    else
        pthread_cond_wait(word, guard);
    waiting--;
    pthread_mutex_unlock(guard);
    return late ? failed(late) : 0;
}

/* How many were woken is not known here: any number of those asked for, if so many wait. */
static long futex_wake(int *word, int most)
{
    pthread_mutex_lock(guard);
    int most_woken = most < waiting ? most : waiting;
    if (most == 0x7fffffff)
        pthread_cond_broadcast(word);
    else
        for (int i = 0; i < most; i++)
            pthread_cond_signal(word);
    pthread_mutex_unlock(guard);
    if (most_woken <= 0)
        return 0;
    unsigned woken = __VERIFIER_nondet_uchar();
    return woken <= (unsigned)most_woken ? woken : 0;
}

long syscall(long number, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, number);
    if (number == SYS_gettid)
        return gettid();
    if (number != SYS_futex)
        __threadproof_unsupported("a system call that is not futex or gettid");
    int *word = __builtin_va_arg(list, int *);
    int operation = __builtin_va_arg(list, int) & ~PRIVATE;
    int value = __builtin_va_arg(list, int);
    if (operation == WAKE)
        return futex_wake(word, value);
    if (operation != WAIT)
        __threadproof_unsupported("a futex operation that is not FUTEX_WAIT or FUTEX_WAKE");
    return futex_wait(word, value, __builtin_va_arg(list, const void *));
}
