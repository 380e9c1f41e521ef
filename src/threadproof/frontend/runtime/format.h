/* What the files behind printf share. */

#include "runtime.h"

typedef __builtin_va_list va_list;

/* Where text goes: as much of it as fits, with room for the end, into `room`; `count` is the length of all of it. */
struct sink {
    char *room;
    size_t size;
    size_t count;
};

/* One directive of a format. */
struct directive {
    _Bool left, plus, space, alternative, zero;
    int width;
    int precision; /* -1: none */
    char length;   /* 0, h, l, j, z, t, L; H for hh, q for ll */
    char kind;
};

void __threadproof_put(struct sink *to, char c);
void __threadproof_pad(struct sink *to, char c, long count);
void __threadproof_put_all(struct sink *to, const char *text, size_t n);
void __threadproof_put_double(struct sink *to, const struct directive *how, unsigned long long bits);
void __threadproof_put_long_double(struct sink *to, const struct directive *how, unsigned long long whole, int high);

int vsnprintf(char *room, size_t size, const char *format, va_list list);

/* The body of a function with `...` behind `format`: the same as the one that takes a list. */
#define FORWARD(call)                     \
    va_list list;                         \
    __builtin_va_start(list, format);     \
    int count = call;                     \
    __builtin_va_end(list);               \
    return count
