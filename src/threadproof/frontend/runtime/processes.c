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
STABLE(int, getppid, __threadproof_any_process)
STABLE(unsigned, getuid, __threadproof_any_user)
STABLE(unsigned, geteuid, __threadproof_any_user)
STABLE(unsigned, getgid, __threadproof_any_user)
STABLE(unsigned, getegid, __threadproof_any_user)
