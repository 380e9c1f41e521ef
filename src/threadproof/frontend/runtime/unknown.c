/* Content and results that come from outside the program: unknown. */

#include "runtime.h"

static void unknown_byte(byte *to)
{
    __threadproof_arbitrary_byte(to);
}

static void unknown_word(byte *to)
{
    __threadproof_arbitrary_word(to);
}

/* Each byte is chosen when it is first read, so content that nobody looks at costs nothing. */
void __threadproof_unknown_bytes(void *target, size_t n)
{
    byte *to = target;
    for (; n >= sizeof(word); to += sizeof(word), n -= sizeof(word))
        unknown_word(to);
    for (; n > 0; to += 1, n -= 1)
        unknown_byte(to);
}

/* A call that fails: errno is some number up to 255, chosen when it is read. */
int __threadproof_failed(void)
{
    int *number = __errno_location();
    *number = 0;
    unknown_byte((byte *)number);
    return -1;
}

/* -1 with any error, or 0. */
int __threadproof_zero_or_fails(void)
{
    return __threadproof_fails() ? 0 : __threadproof_failed();
}

/* Any count up to the greatest. Small ones are chosen as bytes, all of whose values are tried. */
size_t __threadproof_any_count(size_t most)
{
    size_t count = most < 256 ? __VERIFIER_nondet_uchar() : (size_t)__VERIFIER_nondet_ulonglong();
    __VERIFIER_assume(count <= most);
    return count;
}

/* -1 with any error, or any count up to the greatest. */
long __threadproof_count_or_fails(long most)
{
    return __threadproof_fails() ? __threadproof_failed() : (long)__threadproof_any_count(most);
}

static void looked_at_byte(const byte *from)
{
    __threadproof_look_at_byte(from);
}

static void looked_at_word(const byte *from)
{
    __threadproof_look_at_word(from);
}

/* What goes outside is read; what it is makes no difference, so unknown content stays unknown. */
void __threadproof_read_bytes(const void *source, size_t n)
{
    const byte *from = source;
    for (; n >= sizeof(word); from += sizeof(word), n -= sizeof(word))
        looked_at_word(from);
    for (; n > 0; from += 1, n -= 1)
        looked_at_byte(from);
}
