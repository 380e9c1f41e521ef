/* setjmp and longjmp. What cannot be said in C is put in by a pass (passes/jumps.py): functions that call setjmp enter
   and leave a list of their thread's; after longjmp every function returns at once until the one on the list is reached
   that the buffer names. */

#include "runtime.h"

struct frame {
    struct frame *outer;
    unsigned long number;
};

struct buffer {
    unsigned long number; /* of the call of the function that called setjmp, in its thread */
    unsigned long thread;
    int place; /* which setjmp of that function */
    int saves_mask;
    unsigned long long mask;
};

static _Thread_local struct frame *innermost;
static _Thread_local unsigned long calls;
_Thread_local unsigned long __threadproof_jump_target; /* the number of a call while functions return to it, else 0 */
static _Thread_local int target_place, target_value;

void __threadproof_jump_enter(struct frame *frame)
{
    frame->outer = innermost;
    frame->number = ++calls;
    innermost = frame;
}

void __threadproof_jump_leave(struct frame *frame)
{
    innermost = frame->outer;
}

/* A thread that ends leaves all functions. */
void __threadproof_jump_forget(void)
{
    innermost = 0;
}

/* Which of the running function's setjmps returns now; 0: none. */
int __threadproof_jump_arrives(void)
{
    if (__threadproof_jump_target != innermost->number)
        return 0;
    __threadproof_jump_target = 0;
    return target_place;
}

int __threadproof_jump_value(void)
{
    return target_value;
}

static void set(struct buffer *buffer, int place)
{
    buffer->number = innermost ? innermost->number : 0; /* nobody, in a program that never jumps */
    buffer->thread = __threadproof_self();
    buffer->place = place;
    buffer->saves_mask = 0;
}

int __threadproof_set_jump(struct buffer *buffer, int place)
{
    set(buffer, place);
    return 0;
}

int __threadproof_set_jump_and_mask(struct buffer *buffer, int saves_mask, int place)
{
    set(buffer, place);
    buffer->saves_mask = saves_mask;
    if (saves_mask)
        buffer->mask = __threadproof_signal_mask();
    return 0;
}

static int lives(unsigned long number)
{
    struct frame *each = innermost;
    while (each && each->number != number)
        each = each->outer;
    return each != 0;
}

void __threadproof_jump(struct buffer *buffer, int value)
{
    unsigned long number = buffer->number;
    if (buffer->thread != __threadproof_self() || !lives(number))
        __threadproof_bad_call();
    target_place = buffer->place;
    target_value = value ? value : 1;
    __threadproof_jump_target = number;
}

void __threadproof_jump_and_mask(struct buffer *buffer, int value)
{
    if (buffer->saves_mask)
        __threadproof_set_signal_mask(buffer->mask);
    __threadproof_jump(buffer, value);
}
