/* Atomic objects too large for the processor: the compiler's own library takes a lock for them. */

#include "runtime.h"

void atomic_load_any(size_t n, void *object, void *result, int order) __asm__("__atomic_load");
void atomic_store_any(size_t n, void *object, void *value, int order) __asm__("__atomic_store");
void atomic_exchange_any(size_t n, void *object, void *value, void *result, int order) __asm__("__atomic_exchange");
_Bool atomic_compare_exchange_any(size_t n, void *object, void *expected, void *value, int success, int failure)
    __asm__("__atomic_compare_exchange");

void atomic_load_any(size_t n, void *object, void *result, int order)
{
    __VERIFIER_atomic_begin();
    memcpy(result, object, n);
    __VERIFIER_atomic_end();
}

void atomic_store_any(size_t n, void *object, void *value, int order)
{
    __VERIFIER_atomic_begin();
    memcpy(object, value, n);
    __VERIFIER_atomic_end();
}

void atomic_exchange_any(size_t n, void *object, void *value, void *result, int order)
{
    __VERIFIER_atomic_begin();
    memcpy(result, object, n);
    memcpy(object, value, n);
    __VERIFIER_atomic_end();
}

_Bool atomic_compare_exchange_any(size_t n, void *object, void *expected, void *value, int success, int failure)
{
    __VERIFIER_atomic_begin();
    _Bool equal = memcmp(object, expected, n) == 0;
    if (equal)
        memcpy(object, value, n);
    else
        memcpy(expected, object, n);
    __VERIFIER_atomic_end();
    return equal;
}
