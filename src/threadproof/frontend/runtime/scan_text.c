/* sscanf: what a text holds, in the C locale. */

#include "format.h"

enum { EOF = -1, LONGEST = 64 };

long long __isoc23_strtoll(const char *text, char **end, int base);
unsigned long long __isoc23_strtoull(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);

struct scan {
    const char *at; /* in the text */
    va_list list;
    int width; /* 0: none */
    char length;
    _Bool skip, binary;
};

static void store(void *target, char length, unsigned long long value)
{
    if (length == 'H')
        *(unsigned char *)target = value;
    else if (length == 'h')
        *(unsigned short *)target = value;
    else if (length == 'l' || length == 'z' || length == 't')
        *(unsigned long *)target = value;
    else if (length == 'q' || length == 'j')
        *(unsigned long long *)target = value;
    else
        *(unsigned *)target = value;
}

/* The part of the text that a number may take. */
static size_t cut(struct scan *from, char *room)
{
    size_t n = strnlen(from->at, from->width && from->width < LONGEST ? from->width : LONGEST);
    if (n == LONGEST && !isspace((byte)from->at[LONGEST - 1]))
        __threadproof_unsupported("sscanf of a number in more than 63 characters of text");
    memcpy(room, from->at, n);
    room[n] = 0;
    return n;
}

static _Bool scan_integer(struct scan *from, char kind)
{
    char room[LONGEST + 1], *end;
    int base = kind == 'i' ? 0 : kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : 10;
    unsigned long long value;
    cut(from, room);
    if (kind == 'd' || kind == 'i')
        value = from->binary ? __isoc23_strtoll(room, &end, base) : strtoll(room, &end, base);
    else
        value = strtoull(room, &end, base);
    if (end == room)
        return 0;
    if (*end == 'x' || *end == 'X')
        __threadproof_unsupported("sscanf of an unfinished hexadecimal number");
    from->at += end - room;
    if (!from->skip)
        store(__builtin_va_arg(from->list, void *), kind == 'p' ? 'l' : from->length, value);
    return 1;
}

static _Bool scan_float(struct scan *from)
{
    char room[LONGEST + 1], *end;
    cut(from, room);
    double value = strtod(room, &end);
    char next = *end | 32;
    if (end == room ? next == 'i' || next == 'n' : next == 'e' || next == 'p' || (next == 'x' && end[-1] == '0'))
        __threadproof_unsupported("sscanf of an unfinished floating-point number");
    if (end == room)
        return 0;
    from->at += end - room;
    if (from->skip)
        return 1;
    if (from->length == 'l')
        *__builtin_va_arg(from->list, double *) = value;
    else if (from->length)
        __threadproof_unsupported("sscanf of a long double");
    else
        *__builtin_va_arg(from->list, float *) = strtof(room, 0);
    return 1;
}

/* Is the character in the set of %[...], which ends at `end`? */
static _Bool in_set(char c, const char *set, const char *end)
{
    _Bool wanted = *set != '^';
    for (set += !wanted; set < end; set++) {
        if (end - set > 2 && set[1] == '-') {
            if ((byte)c >= (byte)set[0] && (byte)c <= (byte)set[2])
                return wanted;
            set += 2;
        } else if (c == *set)
            return wanted;
    }
    return !wanted;
}

/* %c, %s and %[: characters as they are. */
static _Bool scan_characters(struct scan *from, char kind, const char *set, const char *end)
{
    int most = from->width ? from->width : kind == 'c' ? 1 : 0x7fffffff;
    char *target = from->skip ? 0 : __builtin_va_arg(from->list, char *);
    int n = 0;
    for (; n < most && *from->at; n++, from->at++) {
        if (kind == 's' && isspace((byte)*from->at))
            break;
        if (kind == '[' && !in_set(*from->at, set, end))
            break;
        if (target)
            target[n] = *from->at;
    }
    if (n > 0 && target && kind != 'c')
        target[n] = 0;
    return n > 0;
}

static const char *read_length(struct scan *from, const char *at)
{
    from->length = 0;
    if (*at == 'h' || *at == 'l' || *at == 'j' || *at == 'z' || *at == 't' || *at == 'L' || *at == 'q')
        from->length = *at++;
    if ((from->length == 'h' || from->length == 'l') && *at == from->length) {
        from->length = *at == 'h' ? 'H' : 'q';
        at++;
    }
    return at;
}

/* The end of the set behind %[ */
static const char *set_end(const char *at)
{
    at += *at == '^';
    at += *at == ']';
    while (*at && *at != ']')
        at++;
    return at;
}

static _Bool convert(struct scan *from, char kind, const char *set, const char *end)
{
    switch (kind) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'p':
        return scan_integer(from, kind);
    case 'a': case 'e': case 'f': case 'g': case 'A': case 'E': case 'F': case 'G':
        return scan_float(from);
    case 'c': case 's': case '[':
        if (from->length)
            __threadproof_unsupported("sscanf of wide characters");
        return scan_characters(from, kind, set, end);
    default:
        __threadproof_unsupported("sscanf with a directive that is not modelled");
        return 0;
    }
}

static void skip_space(struct scan *from)
{
    while (isspace((byte)*from->at))
        from->at++;
}

static int scan(const char *text, const char *format, struct scan *from)
{
    int count = 0;
    strlen(text);
    from->at = text;
    for (; *format; format++) {
        if (isspace((byte)*format)) {
            skip_space(from);
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                format++;
                skip_space(from);
            }
            if (*from->at != *format)
                return *from->at || count ? count : EOF;
            from->at++;
            continue;
        }
        format++;
        from->skip = *format == '*';
        format += from->skip;
        for (from->width = 0; isdigit((byte)*format); format++)
            from->width = 10 * from->width + (*format - '0');
        format = read_length(from, format);
        char kind = *format;
        const char *set = format + 1;
        if (kind == '[')
            format = set_end(set);
        if (kind == 'n') {
            store(__builtin_va_arg(from->list, void *), from->length, from->at - text);
            continue;
        }
        if (kind != 'c' && kind != '[')
            skip_space(from);
        if (!*from->at)
            return count ? count : EOF;
        if (!convert(from, kind, set, format))
            return count;
        count += !from->skip;
    }
    return count;
}

static int scan_list(const char *text, const char *format, va_list list, _Bool binary)
{
    struct scan from = {.binary = binary};
    __builtin_va_copy(from.list, list);
    int count = scan(text, format, &from);
    __builtin_va_end(from.list);
    return count;
}

#define VARIADIC(name, binary)                            \
    int name(const char *text, const char *format, ...)   \
    {                                                     \
        va_list list;                                     \
        __builtin_va_start(list, format);                 \
        int count = scan_list(text, format, list, binary); \
        __builtin_va_end(list);                           \
        return count;                                     \
    }
#define LIST(name, binary)                                         \
    int name(const char *text, const char *format, va_list list)   \
    {                                                              \
        return scan_list(text, format, list, binary);              \
    }

VARIADIC(sscanf, 0)
VARIADIC(__isoc99_sscanf, 0)
VARIADIC(__isoc23_sscanf, 1)
LIST(vsscanf, 0)
LIST(__isoc99_vsscanf, 0)
LIST(__isoc23_vsscanf, 1)
