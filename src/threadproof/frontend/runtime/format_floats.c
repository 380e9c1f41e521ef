/* The text of floating-point numbers, exact: a double is a whole number times a power of two, which is written out in
   decimal in full and then rounded once. */

#include "format.h"
#include "decimal.h"

enum { FRACTION_BITS = 52, BIAS = 1023, SPECIAL = 2047 };

static char sign_of(const struct directive *how, _Bool negative)
{
    return negative ? '-' : how->plus ? '+' : how->space ? ' ' : 0;
}

/* Sign, prefix and padding of a number whose digits take `length` characters. */
static void begin(struct sink *to, const struct directive *how, char sign, const char *prefix, long length, _Bool zero)
{
    long fill = how->width - length - (sign != 0) - (long)strlen(prefix);
    if (!how->left && !zero)
        __threadproof_pad(to, ' ', fill);
    if (sign)
        __threadproof_put(to, sign);
    __threadproof_put_all(to, prefix, strlen(prefix));
    if (!how->left && zero)
        __threadproof_pad(to, '0', fill);
}

static void finish(struct sink *to, const struct directive *how, size_t start)
{
    if (how->left)
        __threadproof_pad(to, ' ', how->width - (long)(to->count - start));
}

static void put_special(struct sink *to, const struct directive *how, char sign, _Bool nan, _Bool upper)
{
    const char *text = nan ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf");
    size_t start = to->count;
    begin(to, how, sign, "", 3, 0);
    __threadproof_put_all(to, text, 3);
    finish(to, how, start);
}

/* whole * 2^power */
static void set(struct decimal *number, unsigned long long whole, int power)
{
    _Bool shift = whole != 0;
    number->first = number->last = UNITS;
    number->limb[UNITS] = whole % BASE;
    for (whole /= BASE; whole; whole /= BASE)
        number->limb[--number->first] = whole % BASE;
    if (shift)
        __threadproof_decimal_shift(number, power);
}

static void set_double(struct decimal *number, unsigned long long bits)
{
    int exponent = bits >> FRACTION_BITS & SPECIAL;
    unsigned long long whole = bits & ((1ull << FRACTION_BITS) - 1);
    if (exponent)
        whole |= 1ull << FRACTION_BITS;
    else
        exponent = 1;
    set(number, whole, exponent - BIAS - FRACTION_BITS);
}

static void put_digits(struct sink *to, const struct decimal *number, int from, int down_to)
{
    for (int position = from; position >= down_to; position--)
        __threadproof_put(to, '0' + __threadproof_decimal_digit(number, position));
}

/* 123.45 */
static void put_fixed(struct sink *to, const struct directive *how, char sign, const struct decimal *number,
                      int precision)
{
    int top = __threadproof_decimal_top(number);
    top = top < 0 ? 0 : top;
    _Bool point = precision > 0 || how->alternative;
    begin(to, how, sign, "", (long)top + 1 + point + precision, how->zero);
    put_digits(to, number, top, 0);
    if (point)
        __threadproof_put(to, '.');
    put_digits(to, number, -1, -precision);
}

/* e+02: at least `least` digits. */
static void put_exponent(struct sink *to, char letter, int exponent, int least)
{
    char digits[8];
    int count = 0;
    unsigned rest = exponent < 0 ? -exponent : exponent;
    for (; rest > 0 || count < least; rest /= 10)
        digits[count++] = '0' + rest % 10;
    __threadproof_put(to, letter);
    __threadproof_put(to, exponent < 0 ? '-' : '+');
    while (count > 0)
        __threadproof_put(to, digits[--count]);
}

/* 1.2345e+02 */
static void put_scientific(struct sink *to, const struct directive *how, char sign, const struct decimal *number,
                           int precision, char letter)
{
    int top = __threadproof_decimal_top(number);
    _Bool point = precision > 0 || how->alternative;
    begin(to, how, sign, "", 5l + point + precision + (top >= 100 || top <= -100), how->zero);
    put_digits(to, number, top, top);
    if (point)
        __threadproof_put(to, '.');
    put_digits(to, number, top - 1, top - precision);
    put_exponent(to, letter, top, 2);
}

/* The shorter of both: as many digits as count, without zeros at the end. */
static void put_general(struct sink *to, const struct directive *how, char sign, struct decimal *number,
                        int precision, char letter)
{
    int wanted = precision < 0 ? 6 : precision == 0 ? 1 : precision, digits = wanted;
    __threadproof_decimal_round(number, __threadproof_decimal_top(number) - digits + 1);
    int top = __threadproof_decimal_top(number);
    if (!how->alternative)
        while (digits > 1 && !__threadproof_decimal_digit(number, top - digits + 1))
            digits--;
    if (top >= -4 && top < wanted)
        put_fixed(to, how, sign, number, digits - 1 - top < 0 ? 0 : digits - 1 - top);
    else
        put_scientific(to, how, sign, number, digits - 1, letter);
}

/* 0x1.8p+1 */
static void put_hexadecimal(struct sink *to, const struct directive *how, unsigned long long bits, _Bool upper)
{
    int exponent = bits >> FRACTION_BITS & SPECIAL;
    unsigned long long fraction = bits & ((1ull << FRACTION_BITS) - 1);
    unsigned long long whole = exponent != 0;
    exponent = exponent ? exponent - BIAS : fraction ? 1 - BIAS : 0;
    int precision = 13;
    if (how->precision < 0)
        while (precision > 0 && !(fraction >> (FRACTION_BITS - 4 * precision) & 15))
            precision--;
    else if (how->precision < 13) {
        precision = how->precision;
        int cut = FRACTION_BITS - 4 * precision;
        unsigned long long all = whole << FRACTION_BITS | fraction, half = 1ull << (cut - 1);
        unsigned long long dropped = all & ((1ull << cut) - 1);
        all >>= cut;
        all += dropped > half || (dropped == half && (all & 1));
        whole = all >> 4 * precision;
        fraction = all << cut & ((1ull << FRACTION_BITS) - 1);
    }
    int shown = how->precision < 0 ? precision : how->precision;
    _Bool point = shown > 0 || how->alternative;
    int size = exponent < 0 ? -exponent : exponent;
    long length = 1l + point + shown + 3 + (size >= 10) + (size >= 100) + (size >= 1000);
    begin(to, how, sign_of(how, bits >> 63), upper ? "0X" : "0x", length, how->zero);
    __threadproof_put(to, '0' + whole);
    if (point)
        __threadproof_put(to, '.');
    for (int i = 1; i <= precision; i++)
        __threadproof_put(to, (upper ? "0123456789ABCDEF" : "0123456789abcdef")[fraction >> (FRACTION_BITS - 4 * i) & 15]);
    __threadproof_pad(to, '0', shown - precision);
    put_exponent(to, upper ? 'P' : 'p', exponent, 1);
}

/* %f, %e or %g */
static void put_decimal(struct sink *to, const struct directive *how, char sign, struct decimal *number)
{
    char letter = how->kind < 'a' ? 'E' : 'e';
    int precision = how->precision < 0 ? 6 : how->precision;
    switch (how->kind) {
    case 'f': case 'F':
        __threadproof_decimal_round(number, -precision);
        put_fixed(to, how, sign, number, precision);
        return;
    case 'e': case 'E':
        __threadproof_decimal_round(number, __threadproof_decimal_top(number) - precision);
        put_scientific(to, how, sign, number, precision, letter);
        return;
    default:
        put_general(to, how, sign, number, how->precision, letter);
    }
}

void __threadproof_put_double(struct sink *to, const struct directive *how, unsigned long long bits)
{
    _Bool upper = how->kind < 'a';
    char sign = sign_of(how, bits >> 63);
    size_t start = to->count;
    struct decimal number;
    if ((bits >> FRACTION_BITS & SPECIAL) == SPECIAL) {
        put_special(to, how, sign, bits << 12 != 0, upper);
        return;
    }
    if (how->kind == 'a' || how->kind == 'A')
        put_hexadecimal(to, how, bits, upper);
    else {
        set_double(&number, bits);
        put_decimal(to, how, sign, &number);
    }
    finish(to, how, start);
}

/* Of x87's 80 bits: the significand with its leading bit, and sign and exponent. */
void __threadproof_put_long_double(struct sink *to, const struct directive *how, unsigned long long whole, int high)
{
    int exponent = high & 0x7fff;
    char sign = sign_of(how, high >> 15 & 1);
    size_t start = to->count;
    struct decimal number;
    if (exponent == 0x7fff) {
        put_special(to, how, sign, whole << 1 != 0, how->kind < 'a');
        return;
    }
    if (how->kind == 'a' || how->kind == 'A')
        __threadproof_unsupported("printf of a long double in hexadecimal");
    if (whole && (exponent < 16383 - 1000 || exponent > 16383 + 1000))
        __threadproof_unsupported("printf of a long double beyond the range of doubles");
    set(&number, whole, exponent - 16383 - 63);
    put_decimal(to, how, sign, &number);
    finish(to, how, start);
}
