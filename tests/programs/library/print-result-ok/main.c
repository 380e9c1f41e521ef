#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static int say(const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    vprintf(format, list);
    int count = vfprintf(stderr, format, again);
    va_end(again);
    va_end(list);
    return count;
}

static int tell(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vdprintf(1, format, list);
    va_end(list);
    return count;
}

int main(void) {
    char format[] = "%s";
    int n = printf("%d\n", 12345);
    assert(n == 6 || n == -1);
    n = say(format, "abc");
    assert(n == 3 || n == -1);
    n = tell("%5d", 1);
    assert(n == 5 || n == -1);
    n = puts("line");
    assert(n == 5 || n == EOF);
    n = putchar('a');
    assert(n == 'a' || n == EOF);
    n = fflush(stdout);
    assert(n == 0 || n == EOF);
    return 0;
}
