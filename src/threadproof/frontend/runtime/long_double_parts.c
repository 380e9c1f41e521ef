/* Long doubles taken apart and put together again; rounding.c has the other types. */

#include "runtime.h"

enum { BIAS = 16383, LAST = 0x7ffe, SIGN = 0x8000, EDOM = 33, ERANGE = 34 };

#define LEADING (1ull << 63)
#define ABOVE 36893488147419103232.0L /* 2^65: subnormal numbers times this are normal ones */

struct parts {
    unsigned long long significand; /* with its leading bit */
    unsigned short high;            /* sign and exponent */
};

long double fmodl(long double x, long double y);

static struct parts parts_of(long double x)
{
    struct parts parts = {0, 0};
    __builtin_memcpy(&parts, &x, 10);
    return parts;
}

static long double from(unsigned long long significand, int high)
{
    struct parts parts = {significand, high};
    long double x = 0;
    __builtin_memcpy(&x, &parts, 10);
    return x;
}

static long double power_of_two(int power)
{
    return from(LEADING, BIAS + power);
}

long double frexpl(long double x, int *power)
{
    int moved = 0;
    *power = 0;
    if (x == 0 || x - x != 0)
        return x;
    if ((parts_of(x).high & ~SIGN) == 0) {
        x *= ABOVE;
        moved = 65;
    }
    struct parts parts = parts_of(x);
    *power = (parts.high & ~SIGN) - (BIAS - 1) - moved;
    return from(parts.significand, (parts.high & SIGN) | (BIAS - 1));
}

long double __threadproof_fractionl(long double x)
{
    int power;
    return frexpl(x, &power);
}

int __threadproof_powerl(long double x)
{
    int power;
    frexpl(x, &power);
    return power;
}

int ilogbl(long double x)
{
    if (x == 0 || x - x != 0) {
        __threadproof_maths_error(EDOM);
        return x == 0 || x != x ? -2147483647 - 1 : 2147483647;
    }
    return __threadproof_powerl(x) - 1;
}

long double logbl(long double x)
{
    if (x == 0)
        return -1 / __builtin_fabsl(x);
    return x - x != 0 ? x * x : (long double)(__threadproof_powerl(x) - 1);
}

/* Only the last multiplication rounds: before it the number is kept well above the subnormal ones. */
static long double scaled(long double x, int power)
{
    for (int round = 0; round < 2 && power > BIAS; round++) {
        x *= power_of_two(BIAS);
        power -= BIAS;
    }
    for (int round = 0; round < 2 && power < 1 - BIAS; round++) {
        x *= power_of_two(1 - BIAS + 65);
        power += BIAS - 1 - 65;
    }
    return x * power_of_two(power > BIAS ? BIAS : power < 1 - BIAS ? 1 - BIAS : power);
}

long double scalbnl(long double x, int power)
{
    long double result = scaled(x, power);
    if ((result - result != 0 || result == 0) && x - x == 0 && x != 0)
        __threadproof_maths_error(ERANGE);
    return result;
}

long double ldexpl(long double x, int power)
{
    return scalbnl(x, power);
}

long double scalblnl(long double x, long power)
{
    return scalbnl(x, power > 100000 ? 100000 : power < -100000 ? -100000 : (int)power);
}

static long double next_up(struct parts parts)
{
    if (++parts.significand == 0)
        return from(LEADING, parts.high + 1);
    return from(parts.significand, parts.high + (parts.significand == LEADING && (parts.high & ~SIGN) == 0));
}

static long double next_down(struct parts parts)
{
    if (parts.significand != LEADING)
        return from(parts.significand - 1, parts.high);
    return from((parts.high & ~SIGN) == 1 ? LEADING - 1 : -1, parts.high - 1);
}

long double nextafterl(long double x, long double y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __builtin_copysignl(from(1, 0), y);
    long double result = (x > 0) == (x < y) ? next_up(parts_of(x)) : next_down(parts_of(x));
    if ((parts_of(result).high & ~SIGN) == 0 || result - result != 0)
        __threadproof_maths_error(ERANGE);
    return result;
}

long double remainderl(long double x, long double y)
{
    long double size = __builtin_fabsl(y), rest;
    if (x != x || y != y)
        return x + y;
    if (y == 0 || x - x != 0) {
        __threadproof_maths_error(EDOM);
        return (x * y) / (x * y);
    }
    rest = __builtin_fabsl(size <= from(-1, LAST - 1) ? fmodl(x, size + size) : x);
    if (rest > size - rest) {
        rest -= size;
        if (rest >= size - rest)
            rest -= size;
    }
    return parts_of(x).high & SIGN ? -rest : rest;
}

long double dreml(long double x, long double y)
{
    return remainderl(x, y);
}
