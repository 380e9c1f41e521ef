/* Whole numbers from text, in the C locale. */

#include "runtime.h"

enum { EINVAL = 22, ERANGE = 34 };

typedef unsigned long long magnitude;

struct found {
    _Bool negative, too_large;
};

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

/* Behind "0x" or, where C23 is asked for, "0b", if a digit follows. */
static const char *skip_prefix(const char *at, int *base, _Bool binary)
{
    if (*at == '0' && (*base == 0 || *base == 16) && (at[1] == 'x' || at[1] == 'X') && digit_of(at[2]) < 16) {
        *base = 16;
        return at + 2;
    }
    if (binary && *at == '0' && (*base == 0 || *base == 2) && (at[1] == 'b' || at[1] == 'B') && digit_of(at[2]) < 2) {
        *base = 2;
        return at + 2;
    }
    if (*base == 0)
        *base = *at == '0' ? 8 : 10;
    return at;
}

static magnitude parse(const char *text, char **end, int base, _Bool binary, struct found *found)
{
    magnitude value = 0;
    const char *at = text, *digits;
    if (base < 0 || base == 1 || base > 36) {
        __threadproof_set_errno(EINVAL);
        return 0;
    }
    while (isspace((byte)*at))
        at++;
    if (*at == '-' || *at == '+')
        found->negative = *at++ == '-';
    at = digits = skip_prefix(at, &base, binary);
    for (int digit; (digit = digit_of(*at)) < base; at++) {
        if (value > ((magnitude)-1 - digit) / base)
            found->too_large = 1;
        value = value * base + digit;
    }
    if (end)
        *end = (char *)(at == digits ? text : at);
    return value;
}

static long long parse_signed(const char *text, char **end, int base, _Bool binary, magnitude most)
{
    struct found found = {0, 0};
    magnitude value = parse(text, end, base, binary, &found);
    if (found.too_large || value > most + found.negative) {
        __threadproof_set_errno(ERANGE);
        value = most + found.negative;
    }
    return found.negative ? -value : value;
}

static magnitude parse_unsigned(const char *text, char **end, int base, _Bool binary, magnitude most)
{
    struct found found = {0, 0};
    magnitude value = parse(text, end, base, binary, &found);
    if (found.too_large || value > most) {
        __threadproof_set_errno(ERANGE);
        return most;
    }
    return found.negative ? -value : value;
}

static const magnitude most_long = (unsigned long)-1 >> 1, most_llong = (magnitude)-1 >> 1;
static const magnitude most_ulong = (unsigned long)-1, most_ullong = (magnitude)-1;

#define SIGNED(type, name, binary, most)            \
    type name(const char *text, char **end, int base) \
    {                                               \
        return parse_signed(text, end, base, binary, most); \
    }
#define UNSIGNED(type, name, binary, most)          \
    type name(const char *text, char **end, int base) \
    {                                               \
        return parse_unsigned(text, end, base, binary, most); \
    }

SIGNED(long, strtol, 0, most_long)
SIGNED(long, __isoc23_strtol, 1, most_long)
SIGNED(long long, strtoll, 0, most_llong)
SIGNED(long long, strtoq, 0, most_llong)
SIGNED(long long, strtoimax, 0, most_llong)
SIGNED(long long, __isoc23_strtoll, 1, most_llong)
SIGNED(long long, __isoc23_strtoimax, 1, most_llong)
UNSIGNED(unsigned long, strtoul, 0, most_ulong)
UNSIGNED(unsigned long, __isoc23_strtoul, 1, most_ulong)
UNSIGNED(unsigned long long, strtoull, 0, most_ullong)
UNSIGNED(unsigned long long, strtouq, 0, most_ullong)
UNSIGNED(unsigned long long, strtoumax, 0, most_ullong)
UNSIGNED(unsigned long long, __isoc23_strtoull, 1, most_ullong)
UNSIGNED(unsigned long long, __isoc23_strtoumax, 1, most_ullong)

long __strtol_internal(const char *text, char **end, int base, int group)
{
    return strtol(text, end, base);
}

unsigned long __strtoul_internal(const char *text, char **end, int base, int group)
{
    return strtoul(text, end, base);
}

long long __strtoll_internal(const char *text, char **end, int base, int group)
{
    return strtoll(text, end, base);
}

unsigned long long __strtoull_internal(const char *text, char **end, int base, int group)
{
    return strtoull(text, end, base);
}

long long atoll(const char *text)
{
    return strtoll(text, 0, 10);
}

long atol(const char *text)
{
    return strtol(text, 0, 10);
}

int atoi(const char *text)
{
    return (int)strtol(text, 0, 10);
}
