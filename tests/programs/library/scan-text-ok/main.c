#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int scan(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int count = vsscanf(text, format, list);
    va_end(list);
    return count;
}

int main(void) {
    int a, b, at;
    unsigned u;
    double d;
    char word[8], c;
    assert(sscanf("12 -7", "%d%d", &a, &b) == 2 && a == 12 && b == -7);
    assert(sscanf("0x1f,17", "%i,%o%n", &a, &u, &at) == 2 && a == 31 && u == 15 && at == 7);
    assert(sscanf("12345", "%2d%*1d%d", &a, &b) == 2 && a == 12 && b == 45);
    assert(sscanf(" word 1.5x", "%7s %lf%c", word, &d, &c) == 3 && !strcmp(word, "word") && d == 1.5 && c == 'x');
    assert(sscanf("ab-12", "%[a-c]-%x", word, &u) == 2 && !strcmp(word, "ab") && u == 18);
    assert(sscanf("x", "%d", &a) == 0 && sscanf("", "%d", &a) == EOF && sscanf("5 x", "%d %d", &a, &b) == 1);
    assert(scan("7%", "%d%%", &a) == 1 && a == 7);
    return 0;
}
