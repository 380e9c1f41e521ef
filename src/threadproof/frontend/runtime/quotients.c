/* Remainders with the quotient, from its last three bits on and rounded (glibc: up to 8), exact: each subtraction is. */

#include "runtime.h"

double fmod(double x, double y);
float fmodf(float x, float y);
long double fmodl(long double x, long double y);

/* How often |y| goes into |x| is found from above: eighths first, where eight times |y| is a number. */
#define FAMILY(type, F)                                                                                                \
    static int take##F(type *rest, type step, int count)                                                               \
    {                                                                                                                  \
        if (step - step != 0 || *rest < step)                                                                          \
            return 0;                                                                                                  \
        *rest -= step;                                                                                                 \
        return count;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    type remquo##F(type x, type y, int *quotient)                                                                      \
    {                                                                                                                  \
        type size = __builtin_fabs##F(y), rest = __builtin_fabs##F(x);                                                 \
        _Bool negative = __builtin_copysign##F(1, x) < 0, other = __builtin_copysign##F(1, y) < 0;                     \
        int count = 0;                                                                                                 \
        if (x != x || y != y || y == 0 || x - x != 0)                                                                  \
            return (x * y) / (x * y);                                                                                  \
        if (y - y != 0) {                                                                                              \
            *quotient = 0;                                                                                             \
            return x;                                                                                                  \
        }                                                                                                              \
        if (8 * size - 8 * size == 0)                                                                                  \
            rest = fmod##F(rest, 8 * size);                                                                            \
        count += take##F(&rest, 4 * size, 4);                                                                          \
        count += take##F(&rest, 2 * size, 2);                                                                          \
        count += take##F(&rest, size, 1);                                                                              \
        if (rest > size - rest || (rest == size - rest && count % 2)) {                                                \
            rest -= size;                                                                                              \
            count++;                                                                                                   \
        }                                                                                                              \
        *quotient = negative != other ? -count : count;                                                                  \
        return negative ? -rest : rest;                                                                                \
    }

FAMILY(double, )
FAMILY(float, f)
FAMILY(long double, l)
