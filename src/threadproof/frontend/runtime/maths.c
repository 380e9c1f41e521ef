/* Functions of math.h with the errors they leave in errno, for programs that ask for it. What they compute is what the C
   library of this machine does: see ir/maths.py. */

#include "runtime.h"

enum { EDOM = 33 };

static void note(int error)
{
    if (error)
        __threadproof_set_errno(error);
}

#define ONE(type, name)                                                                                                \
    type __threadproof_value_of_##name(type);                                                                          \
    int __threadproof_error_of_##name(type);                                                                           \
    type name(type x)                                                                                                  \
    {                                                                                                                  \
        note(__threadproof_error_of_##name(x));                                                                        \
        return __threadproof_value_of_##name(x);                                                                       \
    }
#define TWO(type, name)                                                                                                \
    type __threadproof_value_of_##name(type, type);                                                                    \
    int __threadproof_error_of_##name(type, type);                                                                     \
    type name(type x, type y)                                                                                          \
    {                                                                                                                  \
        note(__threadproof_error_of_##name(x, y));                                                                     \
        return __threadproof_value_of_##name(x, y);                                                                    \
    }
#define ALL(how, name) how(double, name) how(float, name##f) how(long double, name##l)

ALL(ONE, exp)
ALL(ONE, exp2)
ALL(ONE, exp10)
ALL(ONE, expm1)
ALL(ONE, log)
ALL(ONE, log2)
ALL(ONE, log10)
ALL(ONE, log1p)
ALL(ONE, sin)
ALL(ONE, cos)
ALL(ONE, tan)
ALL(ONE, asin)
ALL(ONE, acos)
ALL(ONE, atan)
ALL(ONE, sinh)
ALL(ONE, cosh)
ALL(ONE, tanh)
ALL(ONE, asinh)
ALL(ONE, acosh)
ALL(ONE, atanh)
ALL(ONE, cbrt)
ALL(ONE, erf)
ALL(ONE, erfc)
ALL(ONE, tgamma)
ALL(ONE, lgamma)
ALL(TWO, pow)
ALL(TWO, atan2)
ALL(TWO, hypot)

#define BOTH(type, suffix)                                                                                             \
    void sincos##suffix(type x, type *sine, type *cosine)                                                              \
    {                                                                                                                  \
        *sine = sin##suffix(x);                                                                                        \
        *cosine = __threadproof_value_of_cos##suffix(x);                                                               \
    }

/* What the program model computes itself, with its errors. */
#define ROOT_AND_REST(type, F)                                                                                         \
    type __threadproof_value_of_sqrt##F(type);                                                                         \
    type __threadproof_value_of_fmod##F(type, type);                                                                   \
    type sqrt##F(type x)                                                                                               \
    {                                                                                                                  \
        note(x < 0 ? EDOM : 0);                                                                                        \
        return __threadproof_value_of_sqrt##F(x);                                                                      \
    }                                                                                                                  \
    type fmod##F(type x, type y)                                                                                       \
    {                                                                                                                  \
        note(x == x && y == y && (y == 0 || x - x != 0) ? EDOM : 0);                                                   \
        return __threadproof_value_of_fmod##F(x, y);                                                                   \
    }

ROOT_AND_REST(double, )
ROOT_AND_REST(float, f)
ROOT_AND_REST(long double, l)

BOTH(double, )
BOTH(float, f)
BOTH(long double, l)
