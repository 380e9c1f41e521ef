/* Floating-point numbers from text, in the C locale: the number as it is written, exactly, rounded once to the nearest,
   to even if two are equally near. */

#include "decimal.h"

enum { ERANGE = 34, MOST_DIGITS = 800, FAR = 400 };

/* One format of IEEE 754. */
struct format {
    int fraction_bits, exponent_bits;
};

typedef unsigned long long bits; /* of a number without its sign */

/* Too large, or too small to be told exactly. */
static bits out_of_range(bits nearest)
{
    __threadproof_set_errno(ERANGE);
    return nearest;
}

static unsigned long long infinity(const struct format *format)
{
    return ((1ull << format->exponent_bits) - 1) << format->fraction_bits;
}

/* What follows the last digit that is kept: nothing, or so much of one unit of that digit. */
enum rest { NONE, BELOW, HALF, ABOVE };

static enum rest rest_of(unsigned long long value, int dropped, enum rest more)
{
    unsigned long long cut = value & ((1ull << dropped) - 1), half = 1ull << (dropped - 1);
    if (cut == 0 && more == NONE)
        return NONE;
    return cut > half || (cut == half && more != NONE) ? ABOVE : cut == half ? HALF : BELOW;
}

static unsigned long long rounded(unsigned long long value, enum rest rest)
{
    return value + (rest == ABOVE || (rest == HALF && (value & 1)));
}

/* The float nearest to whole * 2^exponent, where `whole` has exactly 62 bits and something may follow. */
static bits pack(const struct format *format, unsigned long long whole, int exponent, enum rest more)
{
    int bias = (1 << (format->exponent_bits - 1)) - 1;
    int kept = format->fraction_bits + 1;
    int power = exponent + 61;
    int cut = 62 - kept;
    if (power < 1 - bias)
        cut += 1 - bias - power; /* a denormal number keeps fewer bits */
    if (cut > 62)
        return out_of_range(0);
    enum rest rest = rest_of(whole, cut, more);
    unsigned long long value = rounded(whole >> cut, rest);
    if (power >= 1 - bias)
        value += (unsigned long long)(power + bias - 1) << format->fraction_bits;
    if (value >= infinity(format))
        return out_of_range(infinity(format));
    _Bool tiny = value >> format->fraction_bits == 0;
    if (power == -bias && !tiny) /* rounded up to the smallest normal number: tiny if not so with one more bit */
        tiny = rounded(whole >> (62 - kept), rest_of(whole, 62 - kept, more)) >> kept == 0;
    return tiny && rest != NONE ? out_of_range(value) : value;
}

static bits pack_decimal(const struct format *format, struct decimal *number)
{
    int exponent = 0;
    int top = __threadproof_decimal_top(number);
    while (top > 18 || top < 17) { /* about 3.3 bits a digit, never too many */
        int places = top > 18 ? -((top - 18) * 3 + 1) : (17 - top) * 3 + 1;
        __threadproof_decimal_shift(number, places);
        exponent -= places;
        top = __threadproof_decimal_top(number);
    }
    unsigned long long whole = 0;
    for (int i = UNITS - 2; i <= UNITS; i++)
        whole = whole * BASE + (i < number->first || i > number->last ? 0 : number->limb[i]);
    while (whole >> 62 || !(whole >> 61)) {
        int place = whole >> 62 ? -1 : 1;
        __threadproof_decimal_shift(number, place);
        exponent -= place;
        whole = 0;
        for (int i = UNITS - 2; i <= UNITS; i++)
            whole = whole * BASE + (i < number->first || i > number->last ? 0 : number->limb[i]);
    }
    enum rest more = NONE;
    if (number->last > UNITS) {
        unsigned tenth = number->limb[UNITS + 1];
        _Bool behind = number->last > UNITS + 1;
        more = tenth > BASE / 2 || (tenth == BASE / 2 && behind) ? ABOVE : tenth == BASE / 2 ? HALF : BELOW;
    }
    return pack(format, whole, exponent, more);
}

static int value_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : 99;
}

/* An exponent behind its letter, if there is one; far ones are all alike. */
static long exponent_at(const char **at)
{
    const char *digit = *at + 1;
    _Bool negative = *digit == '-';
    long value = 0;
    if (*digit == '-' || *digit == '+')
        digit++;
    if (!isdigit((byte)*digit))
        return 0;
    for (; isdigit((byte)*digit); digit++)
        value = value < 100000 ? 10 * value + (*digit - '0') : value;
    *at = digit;
    return negative ? -value : value;
}

static bits parse_hexadecimal(const struct format *format, const char **at)
{
    unsigned long long whole = 0;
    long exponent = 0;
    _Bool point = 0, more = 0;
    for (;; ++*at) {
        if (**at == '.' && !point) {
            point = 1;
            continue;
        }
        int digit = value_of(**at);
        if (digit > 15)
            break;
        if (whole >> 57) {
            more |= digit != 0;
            exponent += point ? 0 : 4;
        } else {
            whole = whole << 4 | digit;
            exponent -= point ? 4 : 0;
        }
    }
    if ((**at | 32) == 'p')
        exponent += exponent_at(at);
    if (!whole)
        return 0;
    for (; !(whole >> 61); whole <<= 1)
        exponent--;
    if (exponent > 5000)
        return out_of_range(infinity(format));
    if (exponent < -5000)
        return out_of_range(0);
    return pack(format, whole, exponent, more ? BELOW : NONE);
}

/* Puts a digit at a position. Limbs are begun in order. */
static void set_digit(struct decimal *number, int position, int digit)
{
    int limbs = position >= 0 ? position / 9 : -((8 - position) / 9);
    int i = UNITS - limbs;
    unsigned unit = 1;
    for (int k = position - 9 * limbs; k > 0; k--)
        unit *= 10;
    if (number->first > number->last)
        number->first = number->last = i, number->limb[i] = 0;
    while (number->last < i)
        number->limb[++number->last] = 0;
    number->limb[i] += unit * digit;
}

static bits parse_decimal(const struct format *format, const char **at)
{
    const char *start = *at, *digit;
    long before = 0, position;
    int set = 0;
    _Bool point = 0, zero = 1;
    struct decimal number = {.first = 1, .last = 0};
    for (; isdigit((byte)**at) || (**at == '.' && !point); ++*at) {
        point |= **at == '.';
        zero &= **at == '.' || **at == '0';
        before += !point;
    }
    digit = *at;
    position = before - 1 + ((**at | 32) == 'e' ? exponent_at(at) : 0);
    if (zero)
        return 0;
    for (; start < digit; start++) {
        if (*start == '.')
            continue;
        if (set > 0 || *start != '0') {
            if (set == 0 && position > FAR - 90)
                return out_of_range(infinity(format));
            if (set == 0 && position < -FAR + 50)
                return out_of_range(0);
            set++;
            if (set < MOST_DIGITS)
                set_digit(&number, position, *start - '0');
            else if (*start != '0') { /* that there is more is all that counts */
                set_digit(&number, position, 1);
                break;
            }
        }
        position--;
    }
    while (number.last > number.first && !number.limb[number.last])
        number.last--;
    return pack_decimal(format, &number);
}

static _Bool begins(const char *text, const char *word)
{
    for (; *word; text++, word++)
        if ((*text | 32) != *word)
            return 0;
    return 1;
}

/* nan, or nan(letters) */
static const char *behind_nan(const char *at)
{
    const char *inside = at + 4;
    if (at[3] != '(')
        return at + 3;
    while (isdigit((byte)*inside) || ((*inside | 32) >= 'a' && (*inside | 32) <= 'z') || *inside == '_')
        inside++;
    if (*inside != ')')
        return at + 3;
    if (inside != at + 4)
        __threadproof_unsupported("a NaN with a payload, from text");
    return inside + 1;
}

static bits parse_number(const struct format *format, const char **at)
{
    const char *c = *at;
    if (isdigit((byte)*c) || (*c == '.' && isdigit((byte)c[1]))) {
        if (*c == '0' && (c[1] | 32) == 'x' && (value_of(c[2]) < 16 || (c[2] == '.' && value_of(c[3]) < 16))) {
            *at += 2;
            return parse_hexadecimal(format, at);
        }
        return parse_decimal(format, at);
    }
    if (begins(c, "inf")) {
        *at += begins(c, "infinity") ? 8 : 3;
        return infinity(format);
    }
    if (begins(c, "nan")) {
        *at = behind_nan(c);
        return infinity(format) | 1ull << (format->fraction_bits - 1);
    }
    *at = 0;
    return 0;
}

static unsigned long long parse(const struct format *format, const char *text, char **end)
{
    const char *at = text;
    while (isspace((byte)*at))
        at++;
    _Bool negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    bits found = parse_number(format, &at);
    if (end)
        *end = (char *)(at ? at : text);
    if (!at)
        return 0;
    return found | (unsigned long long)negative << (format->fraction_bits + format->exponent_bits);
}

double strtod(const char *text, char **end)
{
    static const struct format format = {52, 11};
    bits found = parse(&format, text, end);
    double value;
    __builtin_memcpy(&value, &found, sizeof value);
    return value;
}

float strtof(const char *text, char **end)
{
    static const struct format format = {23, 8};
    unsigned found = parse(&format, text, end);
    float value;
    __builtin_memcpy(&value, &found, sizeof value);
    return value;
}

double atof(const char *text)
{
    return strtod(text, 0);
}
