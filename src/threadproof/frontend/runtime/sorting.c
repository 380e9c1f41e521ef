/* Searching and sorting: by insertion; any correct sequence of comparisons will do. */

#include "runtime.h"

static void exchange(byte *a, byte *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        byte kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    byte *first = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && compare(first + (j - 1) * size, first + j * size) > 0; j--)
            exchange(first + (j - 1) * size, first + j * size, size);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    const byte *first = base;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, first + middle * size);
        if (order == 0)
            return (void *)(first + middle * size);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *more)
{
    byte *first = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && compare(first + (j - 1) * size, first + j * size, more) > 0; j--)
            exchange(first + (j - 1) * size, first + j * size, size);
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
    const byte *first = base;
    for (size_t i = 0; i < *count; i++)
        if (compare(key, first + i * size) == 0)
            return (void *)(first + i * size);
    return 0;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
    void *found = lfind(key, base, count, size, compare);
    if (found)
        return found;
    found = memcpy((byte *)base + *count * size, key, size);
    ++*count;
    return found;
}
