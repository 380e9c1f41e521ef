/* Descriptors: pipes and event counters of the program's own carry what its threads put into them; everything else
   leads outside, and content and results are unknown. The table belongs to the system: it is looked at in atomic
   blocks. A channel that can be read from has its gate open (a semaphore of value 1): a reader goes in, takes what it
   takes and leaves the gate open behind it if there is more. */

#include "runtime.h"

enum { DESCRIPTORS = 16, CHANNELS = 4, CAPACITY = 128 };
enum { EBADF = 9, EAGAIN = 11, EINVAL = 22, EPIPE = 32, SIGPIPE = 13 };
enum { NONBLOCK = 04000, SEMAPHORE = 1, F_DUPFD = 0, F_GETFL = 3, F_SETFL = 4, F_DUPFD_CLOEXEC = 1030 };
enum kind { CLOSED, OUTSIDE, READS, WRITES, COUNTS };

struct channel {
    unsigned int gate[4];
    int shut; /* the gate is closed because there is nothing, not because a reader is inside */
    int readers, writers, takes_one;
    unsigned long long count; /* bytes of a pipe, or the counter */
    byte content[CAPACITY];
};

struct descriptor {
    byte kind, channel;
    unsigned short flags;
};

static struct channel channels[CHANNELS];
static struct descriptor table[DESCRIPTORS] = { { OUTSIDE }, { OUTSIDE }, { OUTSIDE } };

static long fails(int error)
{
    __threadproof_set_errno(error);
    return -1;
}

/* What a number stands for. The table does not hold large ones, which may be open and lead outside. */
static struct descriptor meaning(int number)
{
    struct descriptor outside = { OUTSIDE }, closed = { CLOSED };
    if (number < 0)
        return closed;
    if (number >= DESCRIPTORS)
        return outside;
    __VERIFIER_atomic_begin();
    struct descriptor found = table[number];
    __VERIFIER_atomic_end();
    return found;
}

/* The lowest free number from `first` on, -1 if the table is full. Inside an atomic block. */
static int added(int first, enum kind kind, int channel, int flags)
{
    for (int number = first; number < DESCRIPTORS; number++)
        if (table[number].kind == CLOSED) {
            table[number].kind = kind;
            table[number].channel = channel;
            table[number].flags = flags & NONBLOCK;
            channels[channel].readers += kind == READS || kind == COUNTS;
            channels[channel].writers += kind == WRITES || kind == COUNTS;
            return number;
        }
    return -1;
}

/* A new descriptor that leads outside, or a failure. */
int __threadproof_opened(void)
{
    if (__threadproof_fails())
        return __threadproof_failed();
    __VERIFIER_atomic_begin();
    int number = added(0, OUTSIDE, 0, 0);
    __VERIFIER_atomic_end();
    if (number < 0) {
        number = __VERIFIER_nondet_int();
        __VERIFIER_assume(number >= DESCRIPTORS);
    }
    return number;
}

/* A channel nobody uses. Inside an atomic block. */
static int new_channel(void)
{
    for (int number = 0; number < CHANNELS; number++) {
        struct channel *c = &channels[number];
        if (c->readers || c->writers)
            continue;
        c->count = 0;
        c->takes_one = 0;
        if (!c->shut && __threadproof_sem_trywait(c->gate)) {
            /* closed already: it was never used */
        }
        c->shut = 1;
        return number;
    }
    __threadproof_unsupported("more than 4 pipes and event counters at a time");
    return 0;
}

static int two_ends(int *ends, int flags, enum kind first, enum kind second)
{
    __VERIFIER_atomic_begin();
    int channel = new_channel();
    int reads = added(0, first, channel, flags), writes = added(0, second, channel, flags);
    if (writes < 0)
        __threadproof_unsupported("more than 16 open descriptors");
    __VERIFIER_atomic_end();
    ends[0] = reads;
    ends[1] = writes;
    return 0;
}

int pipe2(int *ends, int flags)
{
    return two_ends(ends, flags, READS, WRITES);
}

int pipe(int *ends)
{
    return pipe2(ends, 0);
}

/* There is something to read, or nothing will ever come. Inside an atomic block. */
static void open_gate(struct channel *c)
{
    if (c->shut && (c->count || !c->writers)) {
        c->shut = 0;
        __threadproof_sem_post(c->gate);
    }
}

int eventfd(unsigned int start, int flags)
{
    __VERIFIER_atomic_begin();
    int channel = new_channel();
    int number = added(0, COUNTS, channel, flags);
    if (number < 0)
        __threadproof_unsupported("more than 16 open descriptors");
    channels[channel].count = start;
    channels[channel].takes_one = flags & SEMAPHORE;
    open_gate(&channels[channel]);
    __VERIFIER_atomic_end();
    return number;
}

/* --- reading --- */

static int enter(struct channel *c, int flags)
{
    if (flags & NONBLOCK)
        return __threadproof_sem_trywait(c->gate);
    return __threadproof_sem_wait(c->gate);
}

/* Inside an atomic block, by the reader inside. */
static void leave(struct channel *c)
{
    c->shut = 1;
    open_gate(c);
}

static size_t taken_bytes(struct channel *c, byte *to, size_t n)
{
    __VERIFIER_atomic_begin();
    size_t taken = c->count < n ? (size_t)c->count : n;
    memcpy(to, c->content, taken);
    c->count -= taken;
    for (size_t i = 0; i < c->count; i++)
        c->content[i] = c->content[i + taken];
    leave(c);
    __VERIFIER_atomic_end();
    return taken;
}

static unsigned long long taken_count(struct channel *c)
{
    __VERIFIER_atomic_begin();
    unsigned long long taken = c->takes_one ? 1 : c->count;
    c->count -= taken;
    leave(c);
    __VERIFIER_atomic_end();
    return taken;
}

static long read_counter(struct channel *c, int flags, void *target, size_t n)
{
    if (n < 8)
        return fails(EINVAL);
    if (enter(c, flags))
        return fails(EAGAIN);
    unsigned long long taken = taken_count(c);
    memcpy(target, &taken, sizeof taken);
    return 8;
}

static long read_pipe(struct channel *c, int flags, void *target, size_t n)
{
    byte bytes[CAPACITY];
    if (n == 0)
        return 0;
    if (enter(c, flags))
        return fails(EAGAIN);
    size_t taken = taken_bytes(c, bytes, n);
    memcpy(target, bytes, taken);
    return taken;
}

long read(int number, void *target, size_t n)
{
    struct descriptor d = meaning(number);
    if (d.kind == READS)
        return read_pipe(&channels[d.channel], d.flags, target, n);
    if (d.kind == COUNTS)
        return read_counter(&channels[d.channel], d.flags, target, n);
    __threadproof_cancel_point();
    if (d.kind != OUTSIDE)
        return fails(EBADF);
    __threadproof_unknown_bytes(target, n);
    return __threadproof_count_or_fails(n);
}

/* --- writing --- */

static long write_pipe(struct channel *c, const void *source, size_t n)
{
    byte bytes[CAPACITY];
    if (n > CAPACITY)
        __threadproof_unsupported("more than 128 bytes in a pipe");
    memcpy(bytes, source, n);
    __VERIFIER_atomic_begin();
    int readers = c->readers;
    if (readers) {
        if (c->count + n > CAPACITY)
            __threadproof_unsupported("more than 128 bytes in a pipe");
        memcpy(c->content + c->count, bytes, n);
        c->count += n;
        open_gate(c);
    }
    __VERIFIER_atomic_end();
    if (readers)
        return n;
    raise(SIGPIPE);
    return fails(EPIPE);
}

static long write_counter(struct channel *c, const void *source, size_t n)
{
    unsigned long long more;
    if (n < 8)
        return fails(EINVAL);
    memcpy(&more, source, sizeof more);
    if (more == -1ull)
        return fails(EINVAL);
    __VERIFIER_atomic_begin();
    if (c->count > -2ull - more)
        __threadproof_unsupported("an event counter that is full");
    c->count += more;
    open_gate(c);
    __VERIFIER_atomic_end();
    return 8;
}

long write(int number, const void *source, size_t n)
{
    struct descriptor d = meaning(number);
    __threadproof_cancel_point();
    if (d.kind == WRITES)
        return write_pipe(&channels[d.channel], source, n);
    if (d.kind == COUNTS)
        return write_counter(&channels[d.channel], source, n);
    if (d.kind != OUTSIDE)
        return fails(EBADF);
    __threadproof_read_bytes(source, n);
    return __threadproof_count_or_fails(n);
}

int eventfd_read(int number, unsigned long long *value)
{
    return read(number, value, 8) == 8 ? 0 : -1;
}

int eventfd_write(int number, unsigned long long value)
{
    return write(number, &value, 8) == 8 ? 0 : -1;
}

/* --- the table --- */

int close(int number)
{
    struct descriptor d = { OUTSIDE };
    __threadproof_cancel_point();
    if (number >= DESCRIPTORS)
        return __threadproof_zero_or_fails();
    __VERIFIER_atomic_begin();
    if (number >= 0) {
        d = table[number];
        table[number].kind = CLOSED;
    }
    struct channel *c = &channels[d.channel];
    c->readers -= d.kind == READS || d.kind == COUNTS;
    c->writers -= d.kind == WRITES || d.kind == COUNTS;
    open_gate(c);
    __VERIFIER_atomic_end();
    if (number < 0 || d.kind == CLOSED)
        return fails(EBADF);
    return d.kind == OUTSIDE ? __threadproof_zero_or_fails() : 0;
}

static int duplicate(int number, int first)
{
    struct descriptor d = meaning(number);
    if (number >= DESCRIPTORS || first >= DESCRIPTORS || first < 0)
        return __threadproof_opened();
    if (d.kind == CLOSED)
        return fails(EBADF);
    __VERIFIER_atomic_begin();
    int copy = added(first, d.kind, d.channel, d.flags);
    if (copy < 0)
        __threadproof_unsupported("more than 16 open descriptors");
    __VERIFIER_atomic_end();
    return copy;
}

int dup(int number)
{
    return duplicate(number, 0);
}

static int set_flags(int number, int flags)
{
    __VERIFIER_atomic_begin();
    if (number < DESCRIPTORS)
        table[number].flags = flags & NONBLOCK;
    __VERIFIER_atomic_end();
    return 0;
}

int fcntl(int number, int command, ...)
{
    __builtin_va_list rest;
    __builtin_va_start(rest, command);
    struct descriptor d = meaning(number);
    int result;
    if (d.kind == CLOSED)
        result = fails(EBADF);
    else if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        result = duplicate(number, __builtin_va_arg(rest, int));
    else if (d.kind == OUTSIDE)
        result = __threadproof_count_or_fails(0x7fffffff);
    else if (command == F_GETFL)
        result = d.flags | (d.kind == WRITES) | (d.kind == COUNTS ? 2 : 0);
    else
        result = command == F_SETFL ? set_flags(number, __builtin_va_arg(rest, int)) : 0;
    __builtin_va_end(rest);
    return result;
}

/* Whether waiting for it is waiting for another thread of the program. */
int __threadproof_is_own_channel(int number)
{
    return meaning(number).kind > OUTSIDE;
}
