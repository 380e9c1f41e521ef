/* Names, processors, policies and priorities of threads: none changes what can happen, since every schedule is possible
   anyway. What the program was told it can have back, as far as it is known. */

#include "runtime.h"

enum { EPERM = 1, EINVAL = 22, ERANGE = 34, NAME = 16, KNOWN_MASK = 128 };
enum { OTHER = 0, FIFO = 1, RR = 2 };

struct time_pair {
    long seconds;
    long nanoseconds;
};

static int failed(int code)
{
    __threadproof_set_errno(code);
    return -1;
}

/* --- names: a thread knows the one it gave itself, unless others give names too --- */

static _Thread_local char own_name[NAME];
static _Thread_local int is_named;
static int others_name;

void __threadproof_name_self(const char *name)
{
    size_t n = strnlen(name, NAME - 1);
    memcpy(own_name, name, n);
    own_name[n] = 0;
    is_named = 1;
}

void __threadproof_get_own_name(char *room)
{
    if (is_named && !__atomic_load_n(&others_name, __ATOMIC_SEQ_CST)) {
        memcpy(room, own_name, NAME);
        return;
    }
    __threadproof_unknown_bytes(room, NAME - 1);
    room[NAME - 1] = 0;
}

int pthread_setname_np(unsigned long thread, const char *name)
{
    if (strlen(name) >= NAME)
        return ERANGE;
    if (thread == __threadproof_self())
        __threadproof_name_self(name);
    else
        __atomic_store_n(&others_name, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int pthread_getname_np(unsigned long thread, char *room, size_t size)
{
    if (size < NAME)
        return ERANGE;
    if (thread == __threadproof_self()) {
        __threadproof_get_own_name(room);
        return 0;
    }
    __threadproof_unknown_bytes(room, NAME - 1);
    room[NAME - 1] = 0;
    return 0;
}

/* --- policies and priorities: SCHED_OTHER and 0, until one is set; who may set others is not known --- */

static int real_time_is_set;

static int wrong_priority(int policy, int priority)
{
    int real_time = policy == FIFO || policy == RR;
    return policy < OTHER || policy > RR || priority < real_time || priority > (real_time ? 99 : 0);
}

static int set_policy(int policy, int priority)
{
    if (wrong_priority(policy, priority))
        return EINVAL;
    if (policy == OTHER)
        return 0;
    if (__VERIFIER_nondet_bool())
        return EPERM;
    __atomic_store_n(&real_time_is_set, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static int policy_now(void)
{
    if (__atomic_load_n(&real_time_is_set, __ATOMIC_SEQ_CST))
        __threadproof_unsupported("the policy of a thread after a real-time policy was set");
    return OTHER;
}

int pthread_setschedparam(unsigned long thread, int policy, const int *priority) { return set_policy(policy, *priority); }
int pthread_setschedprio(unsigned long thread, int priority) { return set_policy(policy_now(), priority); }

int pthread_getschedparam(unsigned long thread, int *policy, int *priority)
{
    *policy = policy_now();
    *priority = 0;
    return 0;
}

int sched_setscheduler(int process, int policy, const int *priority)
{
    int code = set_policy(policy, *priority);
    return code ? failed(code) : 0;
}

int sched_setparam(int process, const int *priority) { return sched_setscheduler(process, policy_now(), priority); }
int sched_getscheduler(int process) { return policy_now(); }

int sched_getparam(int process, int *priority)
{
    *priority = policy_now();
    return 0;
}

int sched_rr_get_interval(int process, struct time_pair *interval)
{
    __threadproof_unknown_bytes(interval, sizeof *interval);
    return 0;
}

static int concurrency;

int pthread_setconcurrency(int level)
{
    if (level < 0)
        return EINVAL;
    __atomic_store_n(&concurrency, level, __ATOMIC_SEQ_CST);
    return 0;
}

int pthread_getconcurrency(void)
{
    return __atomic_load_n(&concurrency, __ATOMIC_SEQ_CST);
}

/* --- processors: which ones there are is not known --- */

static int set_mask(size_t size, const void *mask)
{
    __threadproof_read_bytes(mask, size);
    return __VERIFIER_nondet_bool() ? EINVAL : 0;
}

static int get_mask(size_t size, void *mask)
{
    if (size % sizeof(long) || (size < KNOWN_MASK && __VERIFIER_nondet_bool()))
        return EINVAL;
    __threadproof_unknown_bytes(mask, size);
    return 0;
}

int pthread_setaffinity_np(unsigned long thread, size_t size, const void *mask) { return set_mask(size, mask); }
int pthread_getaffinity_np(unsigned long thread, size_t size, void *mask) { return get_mask(size, mask); }

int sched_setaffinity(int process, size_t size, const void *mask)
{
    int code = set_mask(size, mask);
    return code ? failed(code) : 0;
}

int sched_getaffinity(int process, size_t size, void *mask)
{
    int code = get_mask(size, mask);
    return code ? failed(code) : 0;
}

/* A clock below 0: what it says is unsupported when somebody asks. */
int pthread_getcpuclockid(unsigned long thread, int *clock)
{
    *clock = -(int)(8 * thread) - 2;
    return 0;
}
