/* Attributes of threads, mutexes and the rest: settings that are stored and given back. The ones that change what
   happens (the kind of a mutex) are where the sync table looks for them; schedules are all possible anyway. */

#include "runtime.h"

enum { EINVAL = 22, ENOTSUP = 95 };
enum { STACK_MIN = 16384, PAGE = 4096, DEFAULT_STACK = 8 * 1024 * 1024, SCHED_OTHER = 0, SCHED_FIFO = 1, SCHED_RR = 2 };

struct thread_attributes {
    int detached, scope, inherits, policy, priority;
    size_t guard, stack;
    void *base;
};

int pthread_attr_init(struct thread_attributes *a)
{
    a->detached = a->scope = a->inherits = a->policy = a->priority = 0;
    a->guard = PAGE;
    a->stack = DEFAULT_STACK;
    a->base = 0;
    return 0;
}

/* Those of a running thread: whether it is detached and where its stack lies is not known here. */
int pthread_getattr_np(unsigned long thread, struct thread_attributes *a)
{
    pthread_attr_init(a);
    a->detached = __VERIFIER_nondet_bool();
    __threadproof_unknown_bytes(&a->stack, sizeof a->stack);
    __threadproof_unknown_bytes(&a->base, sizeof a->base);
    a->guard = __VERIFIER_nondet_bool() ? PAGE : 0;
    return 0;
}

/* One of the numbers 0 to `most`, else EINVAL. */
static int set(int *place, int value, int most)
{
    if (value < 0 || value > most)
        return EINVAL;
    *place = value;
    return 0;
}

static int get(int value, int *result)
{
    *result = value;
    return 0;
}

int pthread_attr_setdetachstate(struct thread_attributes *a, int state) { return set(&a->detached, state, 1); }
int pthread_attr_getdetachstate(const struct thread_attributes *a, int *state) { return get(a->detached, state); }
int __threadproof_is_detached(const struct thread_attributes *a) { return a && a->detached; }
int pthread_attr_setinheritsched(struct thread_attributes *a, int inherits) { return set(&a->inherits, inherits, 1); }
int pthread_attr_getinheritsched(const struct thread_attributes *a, int *inherits) { return get(a->inherits, inherits); }
int pthread_attr_setschedpolicy(struct thread_attributes *a, int policy) { return set(&a->policy, policy, SCHED_RR); }
int pthread_attr_getschedpolicy(const struct thread_attributes *a, int *policy) { return get(a->policy, policy); }
int pthread_attr_getscope(const struct thread_attributes *a, int *scope) { return get(a->scope, scope); }

int pthread_attr_setscope(struct thread_attributes *a, int scope)
{
    return scope == 1 ? ENOTSUP : set(&a->scope, scope, 0);
}

int sched_get_priority_min(int policy)
{
    if (policy == SCHED_FIFO || policy == SCHED_RR)
        return 1;
    if (policy == SCHED_OTHER || policy == 3 || policy == 5)
        return 0;
    __threadproof_set_errno(EINVAL);
    return -1;
}

int sched_get_priority_max(int policy)
{
    int least = sched_get_priority_min(policy);
    return least == 1 ? 99 : least;
}

int pthread_attr_setschedparam(struct thread_attributes *a, const int *priority)
{
    int wanted = *priority, real_time = a->policy != SCHED_OTHER;
    if (wanted < (real_time ? 1 : 0) || wanted > (real_time ? 99 : 0))
        return EINVAL;
    a->priority = wanted;
    return 0;
}

int pthread_attr_getschedparam(const struct thread_attributes *a, int *priority) { return get(a->priority, priority); }

int pthread_attr_setguardsize(struct thread_attributes *a, size_t size)
{
    a->guard = size;
    return 0;
}

int pthread_attr_getguardsize(const struct thread_attributes *a, size_t *size)
{
    *size = a->guard;
    return 0;
}

int pthread_attr_setstacksize(struct thread_attributes *a, size_t size)
{
    if (size < STACK_MIN)
        return EINVAL;
    a->stack = size;
    return 0;
}

int pthread_attr_getstacksize(const struct thread_attributes *a, size_t *size)
{
    *size = a->stack;
    return 0;
}

int pthread_attr_setstack(struct thread_attributes *a, void *base, size_t size)
{
    if (size < STACK_MIN)
        return EINVAL;
    a->stack = size;
    a->base = base;
    return 0;
}

int pthread_attr_getstack(const struct thread_attributes *a, void **base, size_t *size)
{
    *base = a->base;
    *size = a->stack;
    return 0;
}

/* The word of a mutex's attributes: its kind in the lowest two bits, then as in glibc. */
enum { PROTOCOL_AT = 28, CEILING_AT = 12, ROBUST_AT = 30, KIND_BITS = 3 };

static int set_bits(unsigned *word, unsigned value, unsigned most, unsigned at)
{
    if (value > most)
        return EINVAL;
    *word = (*word & ~(most << at)) | value << at;
    return 0;
}

int pthread_mutexattr_setpshared(unsigned *a, int shared) { return set_bits(a, shared, 1, 31); }
int pthread_mutexattr_getpshared(const unsigned *a, int *shared) { return get(*a >> 31, shared); }
int pthread_mutexattr_setrobust(unsigned *a, int robust) { return set_bits(a, robust, 1, ROBUST_AT); }
int pthread_mutexattr_getrobust(const unsigned *a, int *robust) { return get(*a >> ROBUST_AT & 1, robust); }
int pthread_mutexattr_setrobust_np(unsigned *a, int robust) { return pthread_mutexattr_setrobust(a, robust); }
int pthread_mutexattr_getrobust_np(const unsigned *a, int *robust) { return pthread_mutexattr_getrobust(a, robust); }
int pthread_mutexattr_getprotocol(const unsigned *a, int *protocol) { return get(*a >> PROTOCOL_AT & 3, protocol); }

int pthread_mutexattr_setprotocol(unsigned *a, int protocol)
{
    return protocol == 3 ? EINVAL : set_bits(a, protocol, 3, PROTOCOL_AT);
}

int pthread_mutexattr_getprioceiling(const unsigned *a, int *ceiling)
{
    int set = *a >> CEILING_AT & 0xfff;
    *ceiling = set ? set : 1; /* the least priority of SCHED_FIFO, which is meant if none is set */
    return 0;
}

int pthread_mutexattr_setprioceiling(unsigned *a, int ceiling)
{
    return ceiling < 1 || ceiling > 99 ? EINVAL : set_bits(a, ceiling, 0xfff, CEILING_AT);
}

/* Attributes that are two words at most: whether processes share the object, and one more setting. */
int pthread_condattr_init(int *a)
{
    a[0] = 0;
    return 0;
}

/* Bit 0: shared between processes; the clock above it. */
int pthread_condattr_getpshared(const int *a, int *shared) { return get(*a & 1, shared); }
int pthread_condattr_getclock(const int *a, int *clock) { return get(*a >> 1 & 1, clock); }

int pthread_condattr_setpshared(int *a, int shared)
{
    if (shared != 0 && shared != 1)
        return EINVAL;
    *a = (*a & ~1) | shared;
    return 0;
}

int pthread_condattr_setclock(int *a, int clock)
{
    if (clock != 0 && clock != 1)
        return EINVAL;
    *a = (*a & 1) | clock << 1;
    return 0;
}

int pthread_rwlockattr_init(int *a)
{
    a[0] = a[1] = 0;
    return 0;
}

/* Under the kind 2 a reader waits for writers that wait: a thread that reads twice can block for ever. */
int pthread_rwlockattr_setkind_np(int *a, int kind)
{
    if (kind == 2)
        __threadproof_unsupported("a read-write lock that prefers writers");
    return set(&a[0], kind, 2);
}
int pthread_rwlockattr_getkind_np(const int *a, int *kind) { return get(a[0], kind); }
int pthread_rwlockattr_setpshared(int *a, int shared) { return set(&a[1], shared, 1); }
int pthread_rwlockattr_getpshared(const int *a, int *shared) { return get(a[1], shared); }

int pthread_barrierattr_init(int *a)
{
    a[0] = 0;
    return 0;
}

int pthread_barrierattr_setpshared(int *a, int shared) { return set(a, shared, 1); }
int pthread_barrierattr_getpshared(const int *a, int *shared) { return get(*a, shared); }
