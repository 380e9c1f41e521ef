/* What runs when a thread ends before it reached the end of something: cleanup handlers, and giving up a once-routine.
   The newest is the thread's value of a key that is created before all others: its destructor runs first. */

#include "runtime.h"

struct cleanup {
    void (*handler)(void *);
    void *argument;
    struct cleanup *before;
};

static unsigned newest;

static void run(void *last)
{
    struct cleanup *each = last;
    while (each) {
        struct cleanup *next = each->before;
        pthread_setspecific(newest, next);
        each->handler(each->argument);
        each = next;
    }
}

void __threadproof_cleanup_start(void)
{
    pthread_key_create(&newest, run);
}

void __threadproof_cleanup_push(struct cleanup *place, void (*handler)(void *), void *argument)
{
    place->handler = handler;
    place->argument = argument;
    place->before = pthread_getspecific(newest);
    pthread_setspecific(newest, place);
}

void __threadproof_cleanup_pop(struct cleanup *place)
{
    pthread_setspecific(newest, place->before);
}

static void give_up(void *control)
{
    __threadproof_once_give_up(control);
}

void __threadproof_once_guard(void *place, void *control)
{
    __threadproof_cleanup_push(place, give_up, control);
}

void __threadproof_once_unguard(void *place)
{
    __threadproof_cleanup_pop(place);
}
