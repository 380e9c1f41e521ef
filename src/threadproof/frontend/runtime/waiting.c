/* Waiting for events and time: every outcome is possible at once. */

#include "runtime.h"

enum { EINVAL = 22 };

int clock_nanosleep(int clock, int flags, const long *time, long *left)
{
    if (clock < 0 || clock > 11 || clock == 3 || clock == 10)
        return EINVAL;
    if (clock == 4 || clock == 5 || clock == 6 || clock == 8 || clock == 9) /* not for sleeping, or for the privileged */
        __threadproof_unsupported("sleeping by a clock that is not for everybody");
    if (time[0] < 0 || time[1] < 0 || time[1] >= 1000000000)
        return EINVAL;
    __threadproof_cancel_point();
    return 0;
}

struct poll_entry {
    int number;
    short events, happened;
};

/* What the program's own threads do with a pipe could be told, but is not: without a limit one could wait for ever. */
static void refuse_own_channel(int number, int for_ever)
{
    if (for_ever && __threadproof_is_own_channel(number))
        __threadproof_unsupported("waiting without a limit for a pipe of the program's own (poll, select, epoll)");
}

/* 0 only if the time can run out; -1 with any error. */
static int outcome(long most, int for_ever)
{
    __threadproof_cancel_point();
    long count = __threadproof_count_or_fails(most);
    __VERIFIER_assume(!for_ever || count != 0);
    return count;
}

int poll(struct poll_entry *entries, unsigned long n, int timeout)
{
    for (unsigned long i = 0; i < n; i++) {
        refuse_own_channel(entries[i].number, timeout < 0);
        __threadproof_look_at_byte(&entries[i].events);
        __threadproof_unknown_bytes(&entries[i].happened, sizeof entries[i].happened);
    }
    if (n == 0 && timeout < 0)
        __threadproof_unsupported("poll for nothing without a limit");
    return outcome(n, timeout < 0);
}

int ppoll(struct poll_entry *entries, unsigned long n, const long *timeout, const void *mask)
{
    if (timeout)
        __threadproof_read_bytes(timeout, 2 * sizeof(long));
    return poll(entries, n, timeout ? 0 : -1);
}

/* The sets come back as subsets of themselves. */
static void select_some(unsigned long *set, int n, int for_ever)
{
    enum { BITS = 8 * sizeof(unsigned long) };
    for (int number = 0; set && number < n; number++) {
        unsigned long bit = 1ul << number % BITS;
        if (!(set[number / BITS] & bit))
            continue;
        refuse_own_channel(number, for_ever);
        if (__threadproof_fails())
            set[number / BITS] &= ~bit;
    }
}

static int selected(int n, void *reads, void *writes, void *errors, int for_ever)
{
    if (n == 0 && for_ever)
        __threadproof_unsupported("select for nothing without a limit");
    select_some(reads, n, for_ever);
    select_some(writes, n, for_ever);
    select_some(errors, n, for_ever);
    return n == 0 ? __threadproof_zero_or_fails() : outcome(3l * n, for_ever);
}

int select(int n, void *reads, void *writes, void *errors, void *timeout)
{
    if (timeout) {
        __threadproof_read_bytes(timeout, 2 * sizeof(long));
        __threadproof_unknown_bytes(timeout, 2 * sizeof(long)); /* the time that is left, with Linux */
    }
    return selected(n, reads, writes, errors, !timeout);
}

int pselect(int n, void *reads, void *writes, void *errors, const void *timeout, const void *mask)
{
    if (timeout)
        __threadproof_read_bytes(timeout, 2 * sizeof(long));
    return selected(n, reads, writes, errors, !timeout);
}

int epoll_create(int size)
{
    return __threadproof_opened();
}

int epoll_create1(int flags)
{
    return __threadproof_opened();
}

int epoll_ctl(int epoll, int operation, int number, const void *event)
{
    refuse_own_channel(number, 1);
    if (event)
        __threadproof_read_bytes(event, 12);
    return __threadproof_zero_or_fails();
}

int epoll_wait(int epoll, void *events, int most, int timeout)
{
    if (most > 0)
        __threadproof_unknown_bytes(events, 12 * (size_t)most);
    return outcome(most, timeout < 0);
}
