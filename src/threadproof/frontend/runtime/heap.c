/* The heap, on malloc and free, which are rows of the sync table. */

#include "runtime.h"

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
    return realloc(block, size && count > (size_t)-1 / size ? (size_t)-1 : count * size);
}

/* Blocks lie at multiples of 16. One that does not by chance lie as the program asks is more than we can give. */
void *aligned_alloc(size_t alignment, size_t size)
{
    void *block = malloc(size);
    if (alignment > 16 && (word)block % alignment != 0)
        __threadproof_wide_alignment();
    return block;
}

void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

void *valloc(size_t size)
{
    return aligned_alloc(4096, size);
}

/* An alignment that is no power of two, or no multiple of a pointer's size, is EINVAL. */
int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (alignment == 0 || alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0)
        return 22;
    *result = aligned_alloc(alignment, size);
    return 0;
}
