/* Rounding of long doubles to integers, by operations that have a meaning: see rounding.c for the other types. */

#include "runtime.h"

long double roundl(long double x)
{
    long double whole = __builtin_truncl(x);
    if (x - x != 0) /* infinity, or not a number */
        return x;
    if (__builtin_fabsl(x - whole) >= 0.5L)
        whole += __builtin_copysignl(1, x);
    return __builtin_copysignl(whole, x);
}

long double rintl(long double x)
{
    long double large = 9223372036854775808.0L; /* from here on all numbers are integers */
    long double size = __builtin_fabsl(x);
    if (!(size < large))
        return x;
    size += large;
    size -= large;
    return __builtin_copysignl(size, x);
}

long double nearbyintl(long double x) { return rintl(x); }
long double roundevenl(long double x) { return rintl(x); }
long lroundl(long double x) { return (long)roundl(x); }
long long llroundl(long double x) { return (long long)roundl(x); }
long lrintl(long double x) { return (long)rintl(x); }
long long llrintl(long double x) { return (long long)rintl(x); }

long double fdiml(long double x, long double y)
{
    long double result = x != x || y != y ? x + y : x > y ? x - y : 0;
    if (result - result != 0 && x - x == 0 && y - y == 0)
        __threadproof_maths_error(34); /* ERANGE */
    return result;
}

long double modfl(long double x, long double *whole)
{
    *whole = __builtin_truncl(x);
    return __builtin_copysignl(x - x == 0 ? x - __builtin_truncl(x) : x == x ? 0 : x, x);
}
