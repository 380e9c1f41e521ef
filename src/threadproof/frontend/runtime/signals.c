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
static int timer_set;

/* By thread, and looked at in atomic blocks too: what it blocks, and what was sent to it and waits. What was sent to the
   process waits at 0, for the first thread that unblocks it. */
enum { MOST_THREADS = 64, PROCESS = 0, FIRST_QUEUED = 34 };
static mask masks[MOST_THREADS], pending[MOST_THREADS];
static unsigned long last_thread = 1;

static int invalid(void)
{
    __threadproof_set_errno(EINVAL);
    return -1;
}

static mask bit(int number)
{
    return 1ull << (number - 1);
}

static unsigned long caller(void)
{
    unsigned long thread = __threadproof_self();
    if (thread >= MOST_THREADS)
        __threadproof_unsupported("signals of many threads");
    return thread;
}

static mask own_mask(void)
{
    unsigned long thread = caller();
    __VERIFIER_atomic_begin();
    mask result = masks[thread];
    __VERIFIER_atomic_end();
    return result;
}

static void set_own_mask(mask new)
{
    unsigned long thread = caller();
    __VERIFIER_atomic_begin();
    masks[thread] = new;
    __VERIFIER_atomic_end();
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

/* Whether it was ignored or a handler has run: else the default action is due. */
static int deliver(int number)
{
    mask before = own_mask();
    __VERIFIER_atomic_begin();
    void (*handler)(int) = actions[number].handler;
    mask more = actions[number].blocked;
    unsigned int flags = actions[number].flags;
    if (flags & RESETHAND)
        actions[number].handler = DEFAULT;
    __VERIFIER_atomic_end();
    if (handler == IGNORE || handler == DEFAULT)
        return handler == IGNORE;
    set_own_mask(before | more | (flags & NODEFER ? 0 : bit(number)));
    call_handler(number, handler, flags);
    set_own_mask(before);
    return 1;
}

/* One of those that wait, or 0. Any: POSIX does not say which comes first, and Linux runs the handler of the last first. */
static int take_pending(unsigned long thread, mask wanted)
{
    mask ready = (pending[thread] | pending[PROCESS]) & wanted;
    for (int number = 1; number < SIGNALS && ready; number++)
        if (ready & bit(number)) {
            ready &= ~bit(number);
            if (!ready || __VERIFIER_nondet_bool()) {
                pending[pending[thread] & bit(number) ? thread : PROCESS] &= ~bit(number);
                return number;
            }
        }
    return 0;
}

static int next_due(void)
{
    unsigned long thread = caller();
    __VERIFIER_atomic_begin();
    int number = take_pending(thread, ~masks[thread]);
    __VERIFIER_atomic_end();
    return number;
}

static void deliver_pending(void)
{
    for (int number = next_due(); number; number = next_due())
        if (!deliver(number))
            __threadproof_act_by_default(number);
}

static int is_blocked(int number)
{
    return number != SIGKILL && number != SIGSTOP && own_mask() & bit(number);
}

/* In atomic blocks. Signals of real time are queued, of which we have no model. */
static void make_pending(unsigned long where, int number)
{
    if (number >= FIRST_QUEUED && pending[where] & bit(number))
        __threadproof_unsupported("the same real-time signal twice while it is blocked");
    pending[where] |= bit(number);
    if (where > last_thread)
        last_thread = where;
}

/* In atomic blocks: what is ignored from now on does not wait any more. */
static void forget_ignored(int number, void (*handler)(int))
{
    if (handler == IGNORE || (handler == DEFAULT && __threadproof_ignored_by_default(number)))
        for (unsigned long i = 0; i <= last_thread; i++)
            pending[i] &= ~bit(number);
}

int __threadproof_catch(int number)
{
    if (is_blocked(number)) {
        unsigned long thread = caller();
        __VERIFIER_atomic_begin();
        make_pending(thread, number);
        __VERIFIER_atomic_end();
        return 1;
    }
    int caught = deliver(number);
    if (caught)
        deliver_pending(); /* what the handler raised while it was blocked */
    return caught;
}

/* Threads that have ended count too: whether there is another one is only known where none was created. */
static int others_take(int number, unsigned long thread)
{
    for (unsigned long i = 1; i <= last_thread; i++)
        if (i != thread && !(masks[i] & bit(number)))
            return 1;
    return 0;
}

/* A signal to the process goes to any thread that does not block it. That one is the caller, or it is unsupported: a
   handler would run in the midst of what another thread does. */
int __threadproof_catch_for_process(int number)
{
    unsigned long thread = caller();
    int waits = is_blocked(number);
    __VERIFIER_atomic_begin();
    int handled = actions[number].handler != DEFAULT && actions[number].handler != IGNORE;
    int others = (waits || handled) && others_take(number, thread);
    if (waits && !others)
        make_pending(PROCESS, number);
    __VERIFIER_atomic_end();
    if (others && (waits || __VERIFIER_nondet_bool()))
        __threadproof_unsupported("a signal to the process that another thread may take (kill)");
    return waits ? 1 : __threadproof_catch(number);
}

/* For programs that handle signals: the handler of SIGABRT runs, the program ends all the same. */
void abort(void)
{
    set_own_mask(own_mask() & ~bit(SIGABRT));
    __VERIFIER_atomic_begin();
    int ignored = actions[SIGABRT].handler == IGNORE;
    __VERIFIER_atomic_end();
    if (!ignored)
        deliver(SIGABRT);
    __threadproof_abort();
}

/* For programs that set masks or signal their process: a thread starts with the mask of the one that created it. Here
   that one is in an atomic block since before. */
int __threadproof_passes_masks(void)
{
    return 1;
}

void __threadproof_pass_mask_to(unsigned long thread)
{
    if (thread >= MOST_THREADS)
        __threadproof_unsupported("signals of many threads");
    masks[thread] = masks[caller()];
    if (thread > last_thread)
        last_thread = thread;
}

/* --- masks and actions --- */

static int changed_mask(int how, const struct set *set, struct set *old)
{
    mask before = own_mask(), given = set ? set->first : 0;
    if (set && how != BLOCK && how != UNBLOCK && how != SETMASK)
        return EINVAL;
    if (set) {
        mask new = how == BLOCK ? before | given : how == UNBLOCK ? before & ~given : given;
        set_own_mask(new & ~(bit(SIGKILL) | bit(SIGSTOP) | bit(INTERNAL) | bit(INTERNAL + 1)));
    }
    if (old) {
        memset(old, 0, sizeof(struct set));
        old->first = before;
    }
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
    return own_mask();
}

void __threadproof_set_signal_mask(mask saved)
{
    set_own_mask(saved);
    deliver_pending();
}

int sigpending(struct set *set)
{
    unsigned long thread = caller();
    __VERIFIER_atomic_begin();
    mask waiting = (pending[thread] | pending[PROCESS]) & masks[thread];
    __VERIFIER_atomic_end();
    memset(set, 0, sizeof(struct set));
    set->first = waiting;
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
        forget_ignored(number, given.handler);
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
    forget_ignored(number, handler);
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
    unsigned long thread = caller();
    __VERIFIER_atomic_begin();
    int chosen = take_pending(thread, wanted);
    __VERIFIER_atomic_end();
    if (!chosen) {
        chosen = __VERIFIER_nondet_uchar() % SIGNALS;
        __VERIFIER_assume(__threadproof_is_signal(chosen) && wanted & bit(chosen));
    }
    *number = chosen;
    return 0;
}
