/* The heap, on malloc and free, which are rows of the sync table. */

#include "runtime.h"

enum { ENOMEM = 12, EINVAL = 22 };

void *realloc(void *block, size_t size)
{
    if (block == 0)
        return malloc(size);
    size_t old = __threadproof_object_size(block);
    void *fresh = malloc(size);
    memcpy(fresh, block, old < size ? old : size);
    free(block);
    return fresh;
}

void *reallocarray(void *block, size_t count, size_t size)
{
    if (size && count > (size_t)-1 / size) {
        __threadproof_set_errno(ENOMEM);
        return 0;
    }
    return realloc(block, count * size);
}

static int is_power_of_two(size_t number)
{
    return number && !(number & (number - 1));
}

/* Blocks lie at multiples of 16. One that does not by chance lie as the program asks is more than we can give. */
static void *aligned(size_t alignment, size_t size)
{
    void *block = malloc(size);
    if (alignment > 16 && (word)block % alignment != 0)
        __threadproof_wide_alignment();
    return block;
}

static void *no_alignment(void)
{
    __threadproof_set_errno(EINVAL);
    return 0;
}

/* The next power of two is meant. */
void *memalign(size_t alignment, size_t size)
{
    size_t power = 16;
    if (alignment > (size_t)-1 / 2 + 1)
        return no_alignment();
    while (power < alignment)
        power *= 2;
    return aligned(power, size);
}

/* Since its version 2.38 glibc refuses what is no power of two; before, it was memalign. */
void *aligned_alloc(size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment) && __VERIFIER_nondet_bool())
        return no_alignment();
    return memalign(alignment, size);
}

void *valloc(size_t size)
{
    return aligned(4096, size);
}

/* An alignment that is no power of two, or no multiple of a pointer's size, is EINVAL. */
int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) || !is_power_of_two(alignment))
        return EINVAL;
    *result = aligned(alignment, size);
    return 0;
}
