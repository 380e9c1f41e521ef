/* Who runs the program: not known, but the same at every call. */

#include "runtime.h"

/* Rows that give any value: of processes, and of users and groups. */
int __threadproof_any_process(void);
unsigned __threadproof_any_user(void);

/* Asked and answered in atomic blocks only. */
#define STABLE(type, function, any)                                                                                    \
    type function(void)                                                                                                \
    {                                                                                                                  \
        static type answer;                                                                                            \
        static int asked;                                                                                              \
        __VERIFIER_atomic_begin();                                                                                     \
        if (!asked)                                                                                                    \
            answer = any();                                                                                            \
        asked = 1;                                                                                                     \
        type result = answer;                                                                                          \
        __VERIFIER_atomic_end();                                                                                       \
        return result;                                                                                                 \
    }

STABLE(int, getpid, __threadproof_any_process)
STABLE(int, __threadproof_parent, __threadproof_any_process)
STABLE(unsigned, getuid, __threadproof_any_user)
STABLE(unsigned, geteuid, __threadproof_any_user)
STABLE(unsigned, getgid, __threadproof_any_user)
STABLE(unsigned, getegid, __threadproof_any_user)

/* Nobody is its own parent. */
int getppid(void)
{
    int parent = __threadproof_parent();
    __VERIFIER_assume(parent != getpid());
    return parent;
}

/* The first thread's number is that of the process, and no other thread's. Two others may have the same one here. */
enum { MOST_THREADS = 64 };
static int numbers[MOST_THREADS];

int gettid(void)
{
    unsigned long thread = __threadproof_self();
    int process = getpid();
    if (thread == 1)
        return process;
    if (thread >= MOST_THREADS)
        __threadproof_unsupported("numbers of many threads (gettid)");
    __VERIFIER_atomic_begin();
    if (!numbers[thread])
        numbers[thread] = __threadproof_any_process();
    int number = numbers[thread];
    __VERIFIER_atomic_end();
    __VERIFIER_assume(number != process);
    return number;
}
