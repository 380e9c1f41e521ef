/* Signals that the program sends to itself. Masks and handlers are in signals.c, which only programs get that have some. */

#include "runtime.h"

enum { EINVAL = 22, SIGNALS = 65, INTERNAL = 32, SIGCHLD = 17, SIGCONT = 18, SIGURG = 23, SIGWINCH = 28 };

int __threadproof_is_signal(int number)
{
    return number > 0 && number < SIGNALS && number != INTERNAL && number != INTERNAL + 1;
}

int __threadproof_ignored_by_default(int number)
{
    return number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
}

void __threadproof_act_by_default(int number)
{
    if (!__threadproof_ignored_by_default(number))
        __threadproof_abort(); /* terminated, or stopped for ever */
}

int raise(int number)
{
    if (!__threadproof_is_signal(number)) {
        if (number == 0)
            return 0;
        __threadproof_set_errno(EINVAL);
        return -1;
    }
    if (!__threadproof_catch(number))
        __threadproof_act_by_default(number);
    return 0;
}

int pthread_kill(unsigned long thread, int number)
{
    if (number != 0 && !__threadproof_is_signal(number))
        return EINVAL;
    if (thread == __threadproof_self())
        raise(number);
    else if (number != 0)
        __threadproof_unsupported("a signal to another thread (pthread_kill)");
    return 0;
}

int getpid(void);

int kill(int process, int number)
{
    if (number != 0 && !__threadproof_is_signal(number))
        return raise(number);
    if (process < 0 && number != 0)
        __threadproof_unsupported("a signal to a group of processes (kill)");
    if (process == 0 || process == getpid()) {
        if (number != 0 && !__threadproof_catch_for_process(number))
            __threadproof_act_by_default(number);
        return 0;
    }
    return __threadproof_zero_or_fails();
}
