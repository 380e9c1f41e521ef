/* Blocks of memory: copied, set and compared in accesses of at most a word, words first. That is what other threads
   can see of a copy in progress. */

#include "runtime.h"

void *memcpy(void *restrict target, const void *restrict source, size_t n)
{
    byte *to = target;
    const byte *from = source;
    while (n >= sizeof(word)) {
        *(word *)to = *(const word *)from;
        to += sizeof(word);
        from += sizeof(word);
        n -= sizeof(word);
    }
    while (n > 0) {
        *to = *from;
        to += 1;
        from += 1;
        n -= 1;
    }
    return target;
}

void *mempcpy(void *restrict target, const void *restrict source, size_t n)
{
    return (byte *)memcpy(target, source, n) + n;
}

static void copy_downwards(byte *to, const byte *from, size_t n)
{
    while (n % sizeof(word) != 0) {
        n -= 1;
        to[n] = from[n];
    }
    while (n > 0) {
        n -= sizeof(word);
        *(word *)(to + n) = *(const word *)(from + n);
    }
}

void *memmove(void *target, const void *source, size_t n)
{
    if ((word)target - (word)source >= n)
        return memcpy(target, source, n);
    copy_downwards(target, source, n);
    return target;
}

void *memset(void *target, int value, size_t n)
{
    byte *to = target;
    word pattern = (byte)value * ((word)-1 / 255);
    while (n >= sizeof(word)) {
        *(word *)to = pattern;
        to += sizeof(word);
        n -= sizeof(word);
    }
    while (n > 0) {
        *to = (byte)value;
        to += 1;
        n -= 1;
    }
    return target;
}

/* All n bytes are read: C compares objects of n bytes, and no implementation is bound to stop at a difference. */
int memcmp(const void *left, const void *right, size_t n)
{
    const byte *a = left, *b = right;
    int order = 0;
    for (size_t i = 0; i < n; i++) {
        int difference = a[i] - b[i];
        order = order ? order : difference;
    }
    return order;
}

int bcmp(const void *left, const void *right, size_t n)
{
    return memcmp(left, right, n);
}

void *memchr(const void *block, int wanted, size_t n)
{
    const byte *at = block;
    for (size_t i = 0; i < n; i++)
        if (at[i] == (byte)wanted)
            return (void *)(at + i);
    return 0;
}

void bcopy(const void *source, void *target, size_t n)
{
    memmove(target, source, n);
}

void bzero(void *target, size_t n)
{
    memset(target, 0, n);
}

void explicit_bzero(void *target, size_t n)
{
    memset(target, 0, n);
}

void *memrchr(const void *block, int wanted, size_t n)
{
    const byte *at = block;
    while (n-- > 0)
        if (at[n] == (byte)wanted)
            return (void *)(at + n);
    return 0;
}

void *rawmemchr(const void *block, int wanted)
{
    const byte *at = block;
    while (*at != (byte)wanted)
        at++;
    return (void *)at;
}

void *memccpy(void *restrict target, const void *restrict source, int last, size_t n)
{
    byte *to = target;
    const byte *from = source;
    for (size_t i = 0; i < n; i++)
        if ((to[i] = from[i]) == (byte)last)
            return to + i + 1;
    return 0;
}

void *memmem(const void *block, size_t n, const void *wanted, size_t length)
{
    const byte *at = block;
    for (; n >= length; at++, n--)
        if (memcmp(at, wanted, length) == 0)
            return (void *)at;
    return 0;
}
