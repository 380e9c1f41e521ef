/* The end of the program: functions that run when main returns, exit or quick_exit is called. They are ordinary code of
   the thread that ends the program; the others go on meanwhile. The list is the C library's own: it is looked at in
   atomic blocks, as behind a lock. */

#include "runtime.h"

enum { POOL = 32 };

struct handler {
    void (*plain)(void);
    void (*telling)(int status, void *argument);
    void *argument;
    struct handler *next;
};

static struct handler pool[POOL], *at_exit, *at_quick;
static int used; /* of the pool; what does not fit in is on the heap */
static unsigned long exiting; /* the thread that ends the program */
static unsigned int locked[2] = { 1 }; /* a lock that nobody frees */

static int registered(struct handler **list, void (*plain)(void), void (*telling)(int, void *), void *argument)
{
    __VERIFIER_atomic_begin();
    struct handler *new = used < POOL ? &pool[used] : malloc(sizeof(struct handler));
    used += used < POOL;
    new->plain = plain;
    new->telling = telling;
    new->argument = argument;
    new->next = *list;
    *list = new;
    __VERIFIER_atomic_end();
    return 0;
}

int atexit(void (*function)(void))
{
    return registered(&at_exit, function, 0, 0);
}

int on_exit(void (*function)(int, void *), void *argument)
{
    return registered(&at_exit, 0, function, argument);
}

int at_quick_exit(void (*function)(void))
{
    return registered(&at_quick, function, 0, 0);
}

/* The last one registered comes first; one registered meanwhile comes next. */
static int next_handler(struct handler **list, struct handler *next)
{
    __VERIFIER_atomic_begin();
    struct handler *first = *list;
    if (first) {
        *next = *first;
        *list = next->next;
        if (first < pool || first >= pool + POOL)
            free(first);
    }
    __VERIFIER_atomic_end();
    return first != 0;
}

/* A second thread that ends the program waits until the first has. A handler that calls exit goes on with the others. */
static void begin_to_end(void)
{
    unsigned long self = __threadproof_self(), before;
    __VERIFIER_atomic_begin();
    before = exiting;
    if (!before)
        exiting = self;
    __VERIFIER_atomic_end();
    if (before && before != self)
        __threadproof_wait_for_ever(locked);
}

void exit(int status)
{
    struct handler next;
    begin_to_end();
    while (next_handler(&at_exit, &next)) {
        if (next.plain)
            next.plain();
        else
            next.telling(status, next.argument);
    }
    _exit(status);
}

void quick_exit(int status)
{
    struct handler next;
    begin_to_end();
    while (next_handler(&at_quick, &next))
        next.plain();
    _exit(status);
}

/* Called before a thread ends itself, and before one is cancelled: if it is main, the last thread to end would run the
   functions. */
void __threadproof_before_thread_exit(void)
{
    if (__threadproof_self() == 1)
        __threadproof_unsupported("functions that run at exit after main has ended by pthread_exit");
}

void __threadproof_before_cancel(unsigned long thread)
{
    if (thread == 1)
        __threadproof_unsupported("functions that run at exit after main was cancelled");
}
