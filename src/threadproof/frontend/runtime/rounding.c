/* Floating-point functions that are exact: rounding to integers, parts of numbers, neighbours, remainders.
   The rounding mode is to nearest, even on ties: functions that change it are unsupported. */

#include "runtime.h"

typedef unsigned int bits32;
typedef unsigned long long bits64;

double fmod(double x, double y);
float fmodf(float x, float y);

enum { EDOM = 33, ERANGE = 34 };

#define BITS(FLOAT, UINT) union { FLOAT number; UINT bits; }

/* One family for each format: its name, integers of its size, bits of the mantissa, bias, suffix of the names. */
#define FAMILY(FLOAT, UINT, MANTISSA, BIAS, F)                                                                         \
    static UINT bits_of##F(FLOAT x) { return ((BITS(FLOAT, UINT)){.number = x}).bits; }                                \
    static FLOAT from_bits##F(UINT bits) { return ((BITS(FLOAT, UINT)){.bits = bits}).number; }                        \
    static int exponent_of##F(FLOAT x) { return (int)(bits_of##F(x) >> MANTISSA) & (2 * BIAS + 1); }                   \
                                                                                                                       \
    FLOAT round##F(FLOAT x)                                                                                            \
    {                                                                                                                  \
        FLOAT whole = __builtin_trunc##F(x);                                                                           \
        if (x - x != 0) /* infinity, or not a number */                                                                \
            return x;                                                                                                  \
        if (__builtin_fabs##F(x - whole) >= (FLOAT)0.5)                                                                \
            whole += __builtin_copysign##F(1, x);                                                                      \
        return __builtin_copysign##F(whole, x);                                                                        \
    }                                                                                                                  \
                                                                                                                       \
    FLOAT rint##F(FLOAT x)                                                                                             \
    {                                                                                                                  \
        FLOAT large = (FLOAT)(1ULL << MANTISSA); /* from here on all numbers are integers */                           \
        FLOAT size = __builtin_fabs##F(x);                                                                             \
        if (!(size < large))                                                                                           \
            return x;                                                                                                  \
        size += large;                                                                                                 \
        size -= large;                                                                                                 \
        return __builtin_copysign##F(size, x);                                                                         \
    }                                                                                                                  \
                                                                                                                       \
    FLOAT nearbyint##F(FLOAT x) { return rint##F(x); }                                                                 \
    FLOAT roundeven##F(FLOAT x) { return rint##F(x); }                                                                 \
    long lround##F(FLOAT x) { return (long)round##F(x); }                                                              \
    long long llround##F(FLOAT x) { return (long long)round##F(x); }                                                   \
    long lrint##F(FLOAT x) { return (long)rint##F(x); }                                                                \
    long long llrint##F(FLOAT x) { return (long long)rint##F(x); }                                                     \
                                                                                                                       \
    FLOAT fdim##F(FLOAT x, FLOAT y)                                                                                    \
    {                                                                                                                  \
        FLOAT result = x != x || y != y ? x + y : x > y ? x - y : 0;                                                   \
        if (result - result != 0 && x - x == 0 && y - y == 0)                                                          \
            __threadproof_maths_error(ERANGE);                                                                         \
        return result;                                                                                                 \
    }                                                                                                                  \
                                                                                                                       \
    FLOAT modf##F(FLOAT x, FLOAT *whole)                                                                               \
    {                                                                                                                  \
        *whole = __builtin_trunc##F(x);                                                                                \
        return __builtin_copysign##F(x - x == 0 ? x - __builtin_trunc##F(x) : x == x ? 0 : x, x);                      \
    }                                                                                                                  \
                                                                                                                       \
    FLOAT frexp##F(FLOAT x, int *power)                                                                                \
    {                                                                                                                  \
        int moved = 0;                                                                                                 \
        *power = 0;                                                                                                    \
        if (x == 0 || x - x != 0)                                                                                      \
            return x;                                                                                                  \
        if (exponent_of##F(x) == 0) {                                                                                  \
            x *= (FLOAT)(1ULL << (MANTISSA + 1));                                                                      \
            moved = MANTISSA + 1;                                                                                      \
        }                                                                                                              \
        *power = exponent_of##F(x) - (BIAS - 1) - moved;                                                               \
        UINT kept = ~((UINT)(2 * BIAS + 1) << MANTISSA);                                                               \
        return from_bits##F((bits_of##F(x) & kept) | (UINT)(BIAS - 1) << MANTISSA);                                    \
    }                                                                                                                  \
                                                                                                                       \
    FLOAT __threadproof_fraction##F(FLOAT x)                                                                           \
    {                                                                                                                  \
        int power;                                                                                                     \
        return frexp##F(x, &power);                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    int __threadproof_power##F(FLOAT x)                                                                                \
    {                                                                                                                  \
        int power;                                                                                                     \
        frexp##F(x, &power);                                                                                           \
        return power;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    int ilogb##F(FLOAT x)                                                                                              \
    {                                                                                                                  \
        if (x == 0 || x - x != 0) {                                                                                    \
            __threadproof_maths_error(EDOM);                                                                           \
            return x == 0 || x != x ? -2147483647 - 1 : 2147483647;                                                    \
        }                                                                                                              \
        return __threadproof_power##F(x) - 1;                                                                          \
    }                                                                                                                  \
                                                                                                                       \
    FLOAT logb##F(FLOAT x)                                                                                             \
    {                                                                                                                  \
        if (x == 0)                                                                                                    \
            return -1 / __builtin_fabs##F(x);                                                                          \
        return x - x != 0 ? x * x : (FLOAT)(__threadproof_power##F(x) - 1);                                            \
    }                                                                                                                  \
                                                                                                                       \
    /* Only the last multiplication rounds: before it the number is kept well above the subnormal ones. */             \
    static FLOAT scaled##F(FLOAT x, int power)                                                                         \
    {                                                                                                                  \
        FLOAT up = from_bits##F((UINT)(2 * BIAS) << MANTISSA);                                                         \
        FLOAT down = from_bits##F((UINT)1 << MANTISSA) * (FLOAT)(1ULL << (MANTISSA + 1));                              \
        for (int round = 0; round < 2 && power > BIAS; round++) {                                                      \
            x *= up;                                                                                                   \
            power -= BIAS;                                                                                             \
        }                                                                                                              \
        for (int round = 0; round < 2 && power < 1 - BIAS; round++) {                                                  \
            x *= down;                                                                                                 \
            power += BIAS - 1 - (MANTISSA + 1);                                                                        \
        }                                                                                                              \
        power = power > BIAS ? BIAS : power < 1 - BIAS ? 1 - BIAS : power;                                             \
        return x * from_bits##F((UINT)(BIAS + power) << MANTISSA);                                                     \
    }                                                                                                                  \
                                                                                                                       \
    FLOAT scalbn##F(FLOAT x, int power)                                                                                \
    {                                                                                                                  \
        FLOAT result = scaled##F(x, power);                                                                            \
        if ((result - result != 0 || result == 0) && x - x == 0 && x != 0)                                             \
            __threadproof_maths_error(ERANGE);                                                                         \
        return result;                                                                                                 \
    }                                                                                                                  \
    FLOAT ldexp##F(FLOAT x, int power) { return scalbn##F(x, power); }                                                 \
    FLOAT scalbln##F(FLOAT x, long power)                                                                              \
    {                                                                                                                  \
        return scalbn##F(x, power > 100000 ? 100000 : power < -100000 ? -100000 : (int)power);                         \
    }                                                                                                                  \
                                                                                                                       \
    FLOAT nextafter##F(FLOAT x, FLOAT y)                                                                               \
    {                                                                                                                  \
        if (x != x || y != y)                                                                                          \
            return x + y;                                                                                              \
        if (x == y)                                                                                                    \
            return y;                                                                                                  \
        if (x == 0)                                                                                                    \
            return __builtin_copysign##F(from_bits##F(1), y);                                                          \
        FLOAT result = from_bits##F((x > 0) == (x < y) ? bits_of##F(x) + 1 : bits_of##F(x) - 1);                       \
        if (exponent_of##F(result) == 0 || result - result != 0)                                                       \
            __threadproof_maths_error(ERANGE);                                                                         \
        return result;                                                                                                 \
    }                                                                                                                  \
                                                                                                                       \
    FLOAT remainder##F(FLOAT x, FLOAT y)                                                                               \
    {                                                                                                                  \
        FLOAT size = __builtin_fabs##F(y), most = from_bits##F(((UINT)(2 * BIAS) << MANTISSA) - 1), rest;              \
        if (x != x || y != y)                                                                                          \
            return x + y;                                                                                              \
        if (y == 0 || x - x != 0) {                                                                                    \
            __threadproof_maths_error(EDOM);                                                                           \
            return (x * y) / (x * y);                                                                                  \
        }                                                                                                              \
        rest = __builtin_fabs##F(size <= most ? fmod##F(x, size + size) : x);                                          \
        if (rest > size - rest) {                                                                                      \
            rest -= size;                                                                                              \
            if (rest >= size - rest)                                                                                   \
                rest -= size;                                                                                          \
        }                                                                                                              \
        return x < 0 || (x == 0 && bits_of##F(x) != 0) ? -rest : rest;                                                 \
    }                                                                                                                  \
    FLOAT drem##F(FLOAT x, FLOAT y) { return remainder##F(x, y); }

FAMILY(double, bits64, 52, 1023, )
FAMILY(float, bits32, 23, 127, f)
