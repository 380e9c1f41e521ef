/* Masks and handlers, for signals that the program sends to itself. What arrives from outside is not modelled. */

#include "runtime.h"

typedef unsigned long long mask;

enum { EINVAL = 22, SIGNALS = 65, INTERNAL = 32 };
enum { SIGALRM = 14, SIGVTALRM = 26, SIGPROF = 27 };
enum { SIGABRT = 6, SIGKILL = 9, SIGSTOP = 19 };
enum { BLOCK = 0, UNBLOCK = 1, SETMASK = 2 };
#define SIGINFO 0x4u
#define NODEFER 0x40000000u
#define RESETHAND 0x80000000u
#define DEFAULT ((void (*)(int))0)
#define IGNORE ((void (*)(int))1)
#define ERROR ((void (*)(int))-1)

struct set {
    mask first;
    mask rest[15];
};

struct action {
    void (*handler)(int);
    struct set blocked;
    unsigned int flags;
    void (*restorer)(void);
};

/* What is done with each signal belongs to the C library: it is looked at in atomic blocks. */
static struct { void (*handler)(int); mask blocked; unsigned int flags; } actions[SIGNALS];
static int masks_set, timer_set;
static _Thread_local mask blocked, pending;
static _Thread_local int mask_known;

static int invalid(void)
{
    __threadproof_set_errno(EINVAL);
    return -1;
}

static mask bit(int number)
{
    return 1ull << (number - 1);
}

/* --- sets --- */

int sigemptyset(struct set *set)
{
    if (!set)
        return invalid();
    memset(set, 0, sizeof(struct set));
    return 0;
}

int sigfillset(struct set *set)
{
    if (!set)
        return invalid();
    memset(set, 255, sizeof(struct set));
    set->first &= ~(bit(INTERNAL) | bit(INTERNAL + 1));
    return 0;
}

int sigaddset(struct set *set, int number)
{
    if (!set || !__threadproof_is_signal(number))
        return invalid();
    set->first |= bit(number);
    return 0;
}

int sigdelset(struct set *set, int number)
{
    if (!set || !__threadproof_is_signal(number))
        return invalid();
    set->first &= ~bit(number);
    return 0;
}

int sigismember(const struct set *set, int number)
{
    if (!set || !__threadproof_is_signal(number))
        return invalid();
    return (set->first & bit(number)) != 0;
}

/* --- delivery --- */

static void call_handler(int number, void (*handler)(int), unsigned int flags)
{
    if (flags & SIGINFO) {
        int info[32], context[256]; /* whatever the system tells about the signal */
        info[0] = number;
        ((void (*)(int, void *, void *))handler)(number, info, context);
    } else {
        handler(number);
    }
}

static void deliver_pending(void);

/* Whether it was ignored or a handler has run: else the default action is due. */
static int deliver(int number)
{
    mask before = blocked;
    __VERIFIER_atomic_begin();
    void (*handler)(int) = actions[number].handler;
    mask more = actions[number].blocked;
    unsigned int flags = actions[number].flags;
    if (flags & RESETHAND)
        actions[number].handler = DEFAULT;
    __VERIFIER_atomic_end();
    if (handler == IGNORE || handler == DEFAULT)
        return handler == IGNORE;
    blocked |= more | (flags & NODEFER ? 0 : bit(number));
    call_handler(number, handler, flags);
    blocked = before;
    if (pending)
        deliver_pending(); /* what the handler raised while it was blocked */
    return 1;
}

static void deliver_pending(void)
{
    for (int number = 1; number < SIGNALS; number++)
        if (pending & ~blocked & bit(number)) {
            pending &= ~bit(number);
            if (!deliver(number))
                __threadproof_act_by_default(number);
        }
}

/* A thread starts with the mask of the one that created it. */
enum { MOST_THREADS = 64 };
static mask inherited[MOST_THREADS];

int __threadproof_know_mask(void)
{
    __VERIFIER_atomic_begin();
    if (!mask_known && masks_set && __threadproof_self() != 1)
        blocked = inherited[__threadproof_self()];
    mask_known = 1;
    __VERIFIER_atomic_end();
    return 1;
}

int __threadproof_catch(int number)
{
    __threadproof_know_mask();
    if (!(blocked & bit(number)) || number == SIGKILL || number == SIGSTOP)
        return deliver(number);
    pending |= bit(number);
    return 1;
}

/* For programs that handle signals: the handler of SIGABRT runs, the program ends all the same. */
void abort(void)
{
    __threadproof_know_mask();
    blocked &= ~bit(SIGABRT);
    __VERIFIER_atomic_begin();
    int ignored = actions[SIGABRT].handler == IGNORE;
    __VERIFIER_atomic_end();
    if (!ignored)
        deliver(SIGABRT);
    __threadproof_abort();
}

/* For programs that set masks. */
void __threadproof_pass_mask_to(unsigned long thread)
{
    if (thread >= MOST_THREADS)
        __threadproof_unsupported("signal masks of many threads");
    inherited[thread] = blocked;
}

/* --- masks and actions --- */

static int changed_mask(int how, const struct set *set, struct set *old)
{
    __threadproof_know_mask();
    mask before = blocked, given = set ? set->first : 0;
    if (set && how != BLOCK && how != UNBLOCK && how != SETMASK)
        return EINVAL;
    if (set) {
        blocked = how == BLOCK ? before | given : how == UNBLOCK ? before & ~given : given;
        blocked &= ~(bit(SIGKILL) | bit(SIGSTOP) | bit(INTERNAL) | bit(INTERNAL + 1));
        __VERIFIER_atomic_begin();
        masks_set = 1;
        __VERIFIER_atomic_end();
    }
    if (old) {
        memset(old, 0, sizeof(struct set));
        old->first = before;
    }
    if (pending)
        deliver_pending();
    return 0;
}

int pthread_sigmask(int how, const struct set *set, struct set *old)
{
    return changed_mask(how, set, old);
}

int sigprocmask(int how, const struct set *set, struct set *old)
{
    return changed_mask(how, set, old) ? invalid() : 0;
}

/* For jumps. */
mask __threadproof_signal_mask(void)
{
    __threadproof_know_mask();
    return blocked;
}

void __threadproof_set_signal_mask(mask saved)
{
    blocked = saved;
    if (pending)
        deliver_pending();
}

int sigpending(struct set *set)
{
    memset(set, 0, sizeof(struct set));
    set->first = pending;
    return 0;
}

/* A timer's signal comes at any time, which is modelled only where it has no effect or ends the program. */
static void refuse_timers(int number, void (*handler)(int))
{
    int timers = number == SIGALRM || number == SIGVTALRM || number == SIGPROF;
    if (timers && timer_set && handler != DEFAULT && handler != IGNORE)
        __threadproof_unsupported("a handler for the signal of a timer");
}

int sigaction(int number, const struct action *new, struct action *old)
{
    if (!__threadproof_is_signal(number) || (new && (number == SIGKILL || number == SIGSTOP)))
        return invalid();
    struct action given = { 0 };
    if (new)
        given = *new;
    __VERIFIER_atomic_begin();
    void (*handler)(int) = actions[number].handler;
    mask more = actions[number].blocked;
    unsigned int flags = actions[number].flags;
    if (new) {
        actions[number].handler = given.handler;
        actions[number].blocked = given.blocked.first;
        actions[number].flags = given.flags;
        refuse_timers(number, given.handler);
    }
    __VERIFIER_atomic_end();
    if (old) {
        memset(old, 0, sizeof(struct action));
        old->handler = handler;
        old->blocked.first = more;
        old->flags = flags;
    }
    return 0;
}

void (*signal(int number, void (*handler)(int)))(int)
{
    if (!__threadproof_is_signal(number) || number == SIGKILL || number == SIGSTOP) {
        invalid();
        return ERROR;
    }
    __VERIFIER_atomic_begin();
    void (*before)(int) = actions[number].handler;
    actions[number].handler = handler;
    actions[number].blocked = 0;
    actions[number].flags = 0x10000000; /* SA_RESTART */
    refuse_timers(number, handler);
    __VERIFIER_atomic_end();
    return before;
}

static void set_timer(int number)
{
    __VERIFIER_atomic_begin();
    timer_set = 1;
    refuse_timers(number, actions[number].handler);
    __VERIFIER_atomic_end();
}

unsigned int alarm(unsigned int seconds)
{
    if (seconds)
        set_timer(SIGALRM);
    return __VERIFIER_nondet_uint();
}

int setitimer(int which, const void *new, void *old)
{
    if (which < 0 || which > 2)
        return invalid();
    if (new) {
        long copy[4];
        memcpy(copy, new, sizeof copy);
        set_timer(which == 0 ? SIGALRM : which == 1 ? SIGVTALRM : SIGPROF);
    }
    if (old)
        __threadproof_unknown_bytes(old, 4 * sizeof(long));
    return 0;
}

/* Somebody sends one of the signals, at any time. */
int sigwait(const struct set *set, int *number)
{
    mask wanted = set->first;
    __threadproof_cancel_point();
    for (int waits = 1; waits < SIGNALS; waits++)
        if (pending & wanted & bit(waits)) {
            pending &= ~bit(waits);
            *number = waits;
            return 0;
        }
    int chosen = __VERIFIER_nondet_uchar() % SIGNALS;
    __VERIFIER_assume(__threadproof_is_signal(chosen) && wanted & bit(chosen));
    *number = chosen;
    return 0;
}
