/* Exact decimal numbers: times powers of two, rounded, and looked at digit by digit. Position 0 is the units digit, -1
   the tenths. */

#include "decimal.h"

static void shift_left(struct decimal *number, int bits)
{
    unsigned long long carry = 0;
    for (int i = number->last; i >= number->first; i--) {
        unsigned long long value = ((unsigned long long)number->limb[i] << bits) + carry;
        number->limb[i] = value % BASE;
        carry = value / BASE;
    }
    if (carry)
        number->limb[--number->first] = carry;
    while (number->last > number->first && !number->limb[number->last])
        number->last--;
}

/* 2^9 divides 10^9: what leaves one limb is a whole number of units of the next. What falls off the end stays visible as
   a last 1, which is all that rounding asks about it. */
static void shift_right(struct decimal *number, int bits)
{
    unsigned rest = 0;
    for (int i = number->first; i <= number->last; i++) {
        unsigned value = number->limb[i];
        number->limb[i] = (value >> bits) + rest;
        rest = (BASE >> bits) * (value & ((1u << bits) - 1));
    }
    if (rest && number->last < LIMBS - 1)
        number->limb[++number->last] = rest;
    else if (rest)
        number->limb[number->last] |= 1;
    while (number->first < number->last && !number->limb[number->first])
        number->first++;
}

/* Times 2^bits. */
void __threadproof_decimal_shift(struct decimal *number, int bits)
{
    for (; bits > 0; bits -= bits < 29 ? bits : 29)
        shift_left(number, bits < 29 ? bits : 29);
    for (; bits < 0; bits += -bits < 9 ? -bits : 9)
        shift_right(number, -bits < 9 ? -bits : 9);
}

/* The limb that holds a position, and the value of one in that position of it. */
static int limb_of(int position, unsigned *unit)
{
    int limbs = position >= 0 ? position / 9 : -((8 - position) / 9);
    *unit = 1;
    for (int i = position - 9 * limbs; i > 0; i--)
        *unit *= 10;
    return UNITS - limbs;
}

int __threadproof_decimal_digit(const struct decimal *number, int position)
{
    unsigned unit;
    int i = limb_of(position, &unit);
    return i < number->first || i > number->last ? 0 : number->limb[i] / unit % 10;
}

/* Position of the first digit that is not zero; 0 for zero. */
int __threadproof_decimal_top(const struct decimal *number)
{
    int i = number->first;
    while (i < number->last && !number->limb[i])
        i++;
    unsigned value = number->limb[i];
    int position = 9 * (UNITS - i);
    if (!value)
        return 0;
    for (; value >= 10; value /= 10)
        position++;
    return position;
}

static void add(struct decimal *number, int i, unsigned amount)
{
    number->limb[i] += amount;
    while (number->limb[i] >= BASE) {
        number->limb[i] -= BASE;
        i--;
        if (i < number->first) {
            number->first = i;
            number->limb[i] = 0;
        }
        number->limb[i]++;
    }
}

/* To the nearest number with no digit behind the position, to an even digit if two are equally near. */
void __threadproof_decimal_round(struct decimal *number, int position)
{
    unsigned unit;
    int i = limb_of(position - 1, &unit);
    if (i > number->last)
        return;
    while (number->first > i)
        number->limb[--number->first] = 0;
    unsigned dropped = number->limb[i] % (10 * (unsigned long long)unit);
    _Bool more = 0;
    for (int j = i + 1; j <= number->last; j++)
        more |= number->limb[j] != 0;
    _Bool odd = __threadproof_decimal_digit(number, position) & 1;
    number->last = i;
    number->limb[i] -= dropped;
    if (dropped > 5 * unit || (dropped == 5 * unit && (more || odd)))
        add(number, i, 10 * unit);
}
