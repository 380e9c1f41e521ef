/* printf: one formatter for all that print into memory, into the world or nowhere. Text is that of glibc in the C
   locale. */

#include "format.h"

/* A va_list is an array on some machines: wrapped, it can be passed on by its address everywhere. */
struct arguments {
    va_list list;
};

enum { INT_MAX = 0x7fffffff, EOVERFLOW = 75 };

void __threadproof_put(struct sink *to, char c)
{
    if (to->size > 0 && to->count < to->size - 1)
        to->room[to->count] = c;
    to->count++;
}

void __threadproof_pad(struct sink *to, char c, long count)
{
    if (count > 0 && to->size == 0) {
        to->count += count;
        return;
    }
    for (; count > 0; count--)
        __threadproof_put(to, c);
}

void __threadproof_put_all(struct sink *to, const char *text, size_t n)
{
    size_t end = to->size > 0 ? to->size - 1 : 0;
    for (size_t i = 0; i < n && to->count + i < end; i++)
        to->room[to->count + i] = text[i];
    to->count += n;
}

static void put_padded(struct sink *to, const struct directive *how, const char *text, size_t n)
{
    long fill = n < (size_t)how->width ? (long)(how->width - n) : 0;
    if (!how->left)
        __threadproof_pad(to, ' ', fill);
    __threadproof_put_all(to, text, n);
    if (how->left)
        __threadproof_pad(to, ' ', fill);
}

static void put_string(struct sink *to, const struct directive *how, const char *text)
{
    put_padded(to, how, text, how->precision < 0 ? strlen(text) : strnlen(text, how->precision));
}

/* A number with this sign or prefix: at least as many digits as the precision says. */
static void put_number(struct sink *to, const struct directive *how, unsigned long long value, unsigned base,
                       const char *prefix)
{
    const char *figures = how->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    char digits[24];
    int count = 0, before = strlen(prefix);
    for (; value; value /= base)
        digits[count++] = figures[value % base];
    long zeros = (how->precision < 0 ? 1 : how->precision) - count;
    if (how->kind == 'o' && how->alternative && zeros <= 0)
        zeros = 1;
    if (zeros < 0)
        zeros = 0;
    long fill = how->width - before - zeros - count;
    if (how->zero && !how->left && how->precision < 0 && fill > 0) {
        zeros += fill;
        fill = 0;
    }
    if (!how->left)
        __threadproof_pad(to, ' ', fill);
    __threadproof_put_all(to, prefix, before);
    __threadproof_pad(to, '0', zeros);
    while (count > 0)
        __threadproof_put(to, digits[--count]);
    if (how->left)
        __threadproof_pad(to, ' ', fill);
}

static long long signed_argument(struct arguments *from, char length)
{
    switch (length) {
    case 'H':
        return (signed char)__builtin_va_arg(from->list, int);
    case 'h':
        return (short)__builtin_va_arg(from->list, int);
    case 'l': case 't':
        return __builtin_va_arg(from->list, long);
    case 'z':
        return (long)__builtin_va_arg(from->list, size_t);
    case 'j': case 'q':
        return __builtin_va_arg(from->list, long long);
    default:
        return __builtin_va_arg(from->list, int);
    }
}

static unsigned long long unsigned_argument(struct arguments *from, char length)
{
    long long value = signed_argument(from, length);
    switch (length) {
    case 'H':
        return (unsigned char)value;
    case 'h':
        return (unsigned short)value;
    case 'l': case 't': case 'z':
        return (unsigned long)value;
    case 'j': case 'q':
        return value;
    default:
        return (unsigned)value;
    }
}

static void put_signed(struct sink *to, const struct directive *how, long long value)
{
    unsigned long long size = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
    put_number(to, how, size, 10, value < 0 ? "-" : how->plus ? "+" : how->space ? " " : "");
}

static void put_unsigned(struct sink *to, const struct directive *how, unsigned long long value)
{
    unsigned base = how->kind == 'o' ? 8 : how->kind == 'u' ? 10 : 16;
    const char *prefix = base == 16 && how->alternative && value ? (how->kind == 'X' ? "0X" : "0x") : "";
    put_number(to, how, value, base, prefix);
}

static void put_pointer(struct sink *to, const struct directive *how, void *pointer)
{
    struct directive hexadecimal = *how;
    hexadecimal.kind = 'x';
    if (!pointer)
        put_padded(to, how, "(nil)", 5);
    else
        put_number(to, &hexadecimal, (word)pointer, 16, how->plus ? "+0x" : how->space ? " 0x" : "0x");
}

static void put_float(struct sink *to, const struct directive *how, struct arguments *from)
{
    double value;
    unsigned long long bits;
    if (how->length == 'L') {
        struct {
            unsigned long long whole;
            unsigned short high;
        } parts = {0, 0};
        long double wide = __builtin_va_arg(from->list, long double);
        __builtin_memcpy(&parts, &wide, 10);
        __threadproof_put_long_double(to, how, parts.whole, parts.high);
        return;
    }
    value = __builtin_va_arg(from->list, double);
    __builtin_memcpy(&bits, &value, sizeof bits);
    __threadproof_put_double(to, how, bits);
}

static void store_count(void *target, char length, size_t count)
{
    switch (length) {
    case 'H':
        *(signed char *)target = count;
        return;
    case 'h':
        *(short *)target = count;
        return;
    case 'l': case 't': case 'z':
        *(long *)target = count;
        return;
    case 'j': case 'q':
        *(long long *)target = count;
        return;
    default:
        *(int *)target = count;
    }
}

static void put_character(struct sink *to, const struct directive *how, int c)
{
    char text = c;
    if (how->length == 'l')
        __threadproof_unsupported("printf of a wide character");
    put_padded(to, how, &text, 1);
}

static void convert(struct sink *to, const struct directive *how, struct arguments *from)
{
    switch (how->kind) {
    case 'd': case 'i':
        put_signed(to, how, signed_argument(from, how->length));
        return;
    case 'u': case 'o': case 'x': case 'X':
        put_unsigned(to, how, unsigned_argument(from, how->length));
        return;
    case 'c':
        put_character(to, how, __builtin_va_arg(from->list, int));
        return;
    case 's':
        if (how->length == 'l')
            __threadproof_unsupported("printf of a wide string");
        put_string(to, how, __builtin_va_arg(from->list, const char *));
        return;
    case 'p':
        put_pointer(to, how, __builtin_va_arg(from->list, void *));
        return;
    case 'n':
        store_count(__builtin_va_arg(from->list, void *), how->length, to->count);
        return;
    case 'm':
        put_string(to, how, strerror(*__errno_location()));
        return;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        put_float(to, how, from);
        return;
    case '%':
        __threadproof_put(to, '%');
        return;
    default:
        __threadproof_unsupported("printf with a directive that is not modelled");
    }
}

static int read_number(const char **at)
{
    int value = 0;
    for (; isdigit((byte)**at); ++*at)
        value = 10 * value + (**at - '0');
    return value;
}

static void read_flags(struct directive *how, const char **at)
{
    for (;; ++*at)
        switch (**at) {
        case '-':
            how->left = 1;
            break;
        case '+':
            how->plus = 1;
            break;
        case ' ':
            how->space = 1;
            break;
        case '#':
            how->alternative = 1;
            break;
        case '0':
            how->zero = 1;
            break;
        case '\'': case 'I':
            break;
        default:
            return;
        }
}

static void read_width(struct directive *how, const char **at, struct arguments *from)
{
    if (**at != '*') {
        how->width = read_number(at);
        return;
    }
    ++*at;
    how->width = __builtin_va_arg(from->list, int);
    if (how->width < 0) {
        how->left = 1;
        how->width = -(unsigned)how->width;
    }
}

static void read_precision(struct directive *how, const char **at, struct arguments *from)
{
    if (**at != '.')
        return;
    ++*at;
    if (**at == '*') {
        ++*at;
        how->precision = __builtin_va_arg(from->list, int);
    } else
        how->precision = read_number(at);
}

static void read_length(struct directive *how, const char **at)
{
    char c = **at;
    if (c != 'h' && c != 'l' && c != 'q' && c != 'j' && c != 'z' && c != 't' && c != 'L')
        return;
    how->length = c;
    ++*at;
    if ((c == 'h' || c == 'l') && **at == c) {
        how->length = c == 'h' ? 'H' : 'q';
        ++*at;
    }
}

static void format_all(struct sink *to, const char *at, struct arguments *from)
{
    for (char c; (c = *at); at++) {
        if (c != '%') {
            __threadproof_put(to, c);
            continue;
        }
        struct directive how = {.precision = -1};
        at++;
        read_flags(&how, &at);
        read_width(&how, &at, from);
        read_precision(&how, &at, from);
        read_length(&how, &at);
        how.kind = *at;
        convert(to, &how, from);
    }
}

/* The length of the whole text, or -1 if no int can tell it. */
int vsnprintf(char *room, size_t size, const char *format, va_list list)
{
    struct sink to = {room, size, 0};
    struct arguments from;
    __builtin_va_copy(from.list, list);
    format_all(&to, format, &from);
    __builtin_va_end(from.list);
    if (size > 0)
        room[to.count < size ? to.count : size - 1] = 0;
    if (to.count <= INT_MAX)
        return to.count;
    __threadproof_set_errno(EOVERFLOW);
    return -1;
}
