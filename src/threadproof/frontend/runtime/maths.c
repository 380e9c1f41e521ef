/* Functions of math.h with the errors they leave in errno, for programs that ask for it. What they compute is what the C
   library of this machine does: see ir/maths.py. */

#include "runtime.h"

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
#define BOTH(how, name) how(double, name) how(float, name##f)

BOTH(ONE, exp)
BOTH(ONE, exp2)
BOTH(ONE, exp10)
BOTH(ONE, expm1)
BOTH(ONE, log)
BOTH(ONE, log2)
BOTH(ONE, log10)
BOTH(ONE, log1p)
BOTH(ONE, sin)
BOTH(ONE, cos)
BOTH(ONE, tan)
BOTH(ONE, asin)
BOTH(ONE, acos)
BOTH(ONE, atan)
BOTH(ONE, sinh)
BOTH(ONE, cosh)
BOTH(ONE, tanh)
BOTH(ONE, asinh)
BOTH(ONE, acosh)
BOTH(ONE, atanh)
BOTH(ONE, cbrt)
BOTH(ONE, erf)
BOTH(ONE, erfc)
BOTH(ONE, tgamma)
BOTH(ONE, lgamma)
BOTH(TWO, pow)
BOTH(TWO, atan2)
BOTH(TWO, hypot)
