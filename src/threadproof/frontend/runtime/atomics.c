/* Atomic objects too large for the processor: the compiler's own library takes a lock for them.
   Only the object is accessed atomically; the buffers beside it (the result, the expected and the new value) are the
   caller's own, and accesses to them can race. */

#include "runtime.h"

void atomic_load_any(size_t n, void *object, void *result, int order) __asm__("__atomic_load");
void atomic_store_any(size_t n, void *object, void *value, int order) __asm__("__atomic_store");
void atomic_exchange_any(size_t n, void *object, void *value, void *result, int order) __asm__("__atomic_exchange");
_Bool atomic_compare_exchange_any(size_t n, void *object, void *expected, void *value, int success, int failure)
    __asm__("__atomic_compare_exchange");

void atomic_load_any(size_t n, void *object, void *result, int order)
{
    byte found[n];
    __VERIFIER_atomic_begin();
    memcpy(found, object, n);
    __VERIFIER_atomic_end();
    memcpy(result, found, n);
}

void atomic_store_any(size_t n, void *object, void *value, int order)
{
    byte given[n];
    memcpy(given, value, n);
    __VERIFIER_atomic_begin();
    memcpy(object, given, n);
    __VERIFIER_atomic_end();
}

void atomic_exchange_any(size_t n, void *object, void *value, void *result, int order)
{
    byte given[n], found[n];
    memcpy(given, value, n);
    __VERIFIER_atomic_begin();
    memcpy(found, object, n);
    memcpy(object, given, n);
    __VERIFIER_atomic_end();
    memcpy(result, found, n);
}

_Bool atomic_compare_exchange_any(size_t n, void *object, void *expected, void *value, int success, int failure)
{
    byte wanted[n], given[n], found[n];
    memcpy(wanted, expected, n);
    memcpy(given, value, n);
    __VERIFIER_atomic_begin();
    _Bool equal = memcmp(object, wanted, n) == 0;
    if (equal)
        memcpy(object, given, n);
    else
        memcpy(found, object, n);
    __VERIFIER_atomic_end();
    if (!equal)
        memcpy(expected, found, n);
    return equal;
}
