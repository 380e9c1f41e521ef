#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char room[60];

#define IS(text, ...) (assert(snprintf(room, sizeof room, __VA_ARGS__) == sizeof text - 1), assert(!strcmp(room, text)))

static int make(char *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vsprintf(to, format, list);
    va_end(list);
    return count;
}

static int make_new(char **to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vasprintf(to, format, list);
    va_end(list);
    return count;
}

static int make_some(char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vsnprintf(to, size, format, list);
    va_end(list);
    return count;
}

static void integers(void) {
    IS("5|-5|+5| 5", "%d|%i|%+d|% d", 5, -5, 5, 5);
    IS("   42|42   |00042|  -07", "%5d|%-5d|%05d|%5.2d", 42, 42, 42, -7);
    IS("ff FF 0xff 0XFF 17 017 0", "%x %X %#x %#X %o %#o %#x", 255, 255, 255, 255, 15, 15, 0);
    IS("-9223372036854775808 18446744073709551615", "%lld %llu", INT64_MIN, UINT64_MAX);
    IS("-1 255 -1 65535", "%hhd %hhu %hd %hu", 255, 255, 65535, 65535);
    IS("7 8 9 10", "%ld %zu %td %jd", 7l, (size_t)8, (ptrdiff_t)9, (intmax_t)10);
    IS("[]  12 7  |", "[%.0d] %*d %-*d|", 0, 3, 12, 3, 7);
    IS("(nil) 0x10", "%p %p", NULL, (void *)16);
}

static void strings(void) {
    char raw[3] = {'a', 'b', 'c'};
    int at;
    IS("100% ok", "%d%% %s", 100, "ok");
    IS("  ab|ab  |abc", "%4.2s|%-4.*s|%.3s", "abc", 2, "abc", raw);
    IS("x  y|z  ", "%c%3c|%-3c", 'x', 'y', 'z');
    IS("abcd", "abc%nd", &at);
    assert(at == 3);
    errno = ENOENT;
    IS("No such file or directory", "%m");
    assert(snprintf(NULL, 0, "%s-%d", "abc", 12) == 6);
    assert(snprintf(room, 4, "%s-%d", "abc", 12) == 6 && !strcmp(room, "abc"));
    assert(snprintf(room, 1, "xyz") == 3 && room[0] == 0);
}

int main(void) {
    char *fresh;
    char format[] = "%d,%s";
    integers();
    strings();
    assert(sprintf(room, format, 1, "one") == 5 && !strcmp(room, "1,one"));
    assert(make(room, "%d %s", 2, "two") == 5 && !strcmp(room, "2 two"));
    assert(make_some(room, 3, "%d %s", 2, "two") == 5 && !strcmp(room, "2 "));
    assert(asprintf(&fresh, "%s%d", "n", 3) == 2 && !strcmp(fresh, "n3"));
    free(fresh);
    assert(make_new(&fresh, "%s", "four") == 4 && !strcmp(fresh, "four"));
    free(fresh);
    return 0;
}
