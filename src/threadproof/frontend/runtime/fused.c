/* x * y + z rounded once, to nearest. */

#include "runtime.h"

typedef unsigned long long bits64;
typedef struct { bits64 high, low; } wide; /* 128 bits */
typedef union { double number; bits64 bits; } both;

/* A sum of doubles rounded to odd keeps what its rounding to a float needs (Boldo and Melquiond, 2008). */
float fmaf(float x, float y, float z)
{
    double product = (double)x * y; /* exact: 2 * 24 bits */
    double sum = product + z, added = sum - product;
    double error = (product - (sum - added)) + (z - added);
    both odd = {.number = sum};
    if ((error > 0 || error < 0) && !(odd.bits & 1))
        odd.bits += (error > 0) == (sum > 0) ? 1 : -1;
    return (float)odd.number;
}

static wide product_of(bits64 a, bits64 b)
{
    bits64 a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    bits64 middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xffffffff);
    return (wide){a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (a0 * b0 & 0xffffffff)};
}

static wide left(wide a, int by)
{
    return by ? (wide){a.high << by | a.low >> (64 - by), a.low << by} : a;
}

/* Of a number that is not 0; the last bit of the result is set if others are lost. */
static wide right(wide a, int by)
{
    int lost = 0;
    if (by >= 128)
        return (wide){0, 1};
    if (by >= 64) {
        lost = a.low != 0;
        a = (wide){0, a.high};
        by -= 64;
    }
    if (by) {
        lost |= a.low << (64 - by) != 0;
        a = (wide){a.high >> by, a.low >> by | a.high << (64 - by)};
    }
    a.low |= (bits64)lost;
    return a;
}

static wide sum_of(wide a, wide b) { return (wide){a.high + b.high + (a.low + b.low < a.low), a.low + b.low}; }
static wide difference_of(wide a, wide b) { return (wide){a.high - b.high - (a.low < b.low), a.low - b.low}; }
static int less(wide a, wide b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }

/* The significand of a finite number that is not 0, its highest bit the 53rd; the power of two it is multiplied by. */
static int parts_of(both x, bits64 *significand)
{
    int exponent = (int)(x.bits >> 52) & 2047;
    bits64 fraction = x.bits & 0xfffffffffffffULL;
    if (exponent) {
        *significand = fraction | 1ULL << 52;
        return exponent - 1075;
    }
    int by = __builtin_clzll(fraction) - 11;
    *significand = fraction << by;
    return -1074 - by;
}

/* The nearest double to `a` times 2 to the `power`; `a` is not 0. */
static double nearest(int negative, wide a, int power)
{
    if (!a.high) {
        a = (wide){a.low, 0};
        power -= 64;
    }
    int by = __builtin_clzll(a.high);
    a = left(a, by);
    power -= by;
    int drop = power + 75 < -1074 ? -1074 - power : 75;
    bits64 kept = right(a, drop - 2).low, significand = kept >> 2; /* with the bit behind it, and whether others follow */
    significand += (kept & 2) && (kept & 5);
    int exponent = power + drop + 1074;
    both result = {.bits = exponent > 2045 ? 2047ULL << 52 : ((bits64)exponent << 52) + significand};
    return negative ? -result.number : result.number;
}

double fma(double x, double y, double z)
{
    both first = {.number = x}, second = {.number = y}, third = {.number = z};
    if (x == 0 || y == 0 || x - x != 0 || y - y != 0)
        return x * y + z;
    if (z - z != 0) /* infinity, or not a number */
        return z;
    if (z == 0)
        return x * y;
    int negative = (int)((first.bits ^ second.bits) >> 63), other = (int)(third.bits >> 63), differ = negative != other;
    bits64 a, b, c;
    int power = parts_of(first, &a) + parts_of(second, &b) - 20, beyond = power - (parts_of(third, &c) - 72);
    wide large = left(product_of(a, b), 20), small = {c << 8, 0}; /* both have their highest bit about the 126th */
    if (beyond < 0) {
        wide swapped = large;
        large = small, small = swapped, negative = other;
        power -= beyond, beyond = -beyond;
    }
    small = right(small, beyond);
    if (!differ)
        return nearest(negative, sum_of(large, small), power);
    if (less(large, small))
        return nearest(!negative, difference_of(small, large), power);
    wide rest = difference_of(large, small);
    return rest.high || rest.low ? nearest(negative, rest, power) : 0;
}
