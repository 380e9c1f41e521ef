/* Characters, in the C locale. */

#include "runtime.h"

int isdigit(int c)
{
    return c >= '0' && c <= '9';
}

int isupper(int c)
{
    return c >= 'A' && c <= 'Z';
}

int islower(int c)
{
    return c >= 'a' && c <= 'z';
}

int isalpha(int c)
{
    return isupper(c) || islower(c);
}

int isalnum(int c)
{
    return isalpha(c) || isdigit(c);
}

int isspace(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int isprint(int c)
{
    return c >= ' ' && c <= '~';
}

int isgraph(int c)
{
    return c > ' ' && c <= '~';
}

int ispunct(int c)
{
    return isgraph(c) && !isalnum(c);
}

int iscntrl(int c)
{
    return (c >= 0 && c < ' ') || c == 127;
}

int isblank(int c)
{
    return c == ' ' || c == '\t';
}

int isascii(int c)
{
    return c >= 0 && c < 128;
}

int toascii(int c)
{
    return c & 127;
}

int isxdigit(int c)
{
    return isdigit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

/* The tables behind the macros of glibc's <ctype.h>, for -128..255. */
enum {
    BLANK = 1, CONTROL = 2, PUNCT = 4, ALNUM = 8, UPPER = 1 << 8, LOWER = 1 << 9, ALPHA = 1 << 10, DIGIT = 1 << 11,
    XDIGIT = 1 << 12, SPACE = 1 << 13, PRINT = 1 << 14, GRAPH = 1 << 15,
    OF_PUNCT = PRINT | GRAPH | PUNCT, OF_ALNUM = PRINT | GRAPH | ALNUM, OF_DIGIT = OF_ALNUM | DIGIT | XDIGIT,
    OF_UPPER = OF_ALNUM | ALPHA | UPPER, OF_LOWER = OF_ALNUM | ALPHA | LOWER,
};

#define RANGE(first, last) [128 + (first) ... 128 + (last)]

static const unsigned short classes[384] = {
    RANGE(0, 8) = CONTROL,
    RANGE('\t', '\t') = CONTROL | SPACE | BLANK,
    RANGE('\n', '\r') = CONTROL | SPACE,
    RANGE(14, 31) = CONTROL,
    RANGE(' ', ' ') = PRINT | SPACE | BLANK,
    RANGE('!', '/') = OF_PUNCT,
    RANGE('0', '9') = OF_DIGIT,
    RANGE(':', '@') = OF_PUNCT,
    RANGE('A', 'F') = OF_UPPER | XDIGIT,
    RANGE('G', 'Z') = OF_UPPER,
    RANGE('[', '`') = OF_PUNCT,
    RANGE('a', 'f') = OF_LOWER | XDIGIT,
    RANGE('g', 'z') = OF_LOWER,
    RANGE('{', '~') = OF_PUNCT,
    RANGE(127, 127) = CONTROL,
};
static const unsigned short *const class_of = classes + 128;

const unsigned short *const *__ctype_b_loc(void)
{
    return &class_of;
}

/* The same for case. */
#define SAME(n) [128 + (n)] = (n)
#define EIGHT(n) SAME(n), SAME((n) + 1), SAME((n) + 2), SAME((n) + 3), SAME((n) + 4), SAME((n) + 5), SAME((n) + 6), \
    SAME((n) + 7)
#define SIXTY_FOUR(n) EIGHT(n), EIGHT((n) + 8), EIGHT((n) + 16), EIGHT((n) + 24), EIGHT((n) + 32), EIGHT((n) + 40), \
    EIGHT((n) + 48), EIGHT((n) + 56)
#define AS(from, to) [128 + (from)] = (to)
#define LETTERS(F) F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9), F(10), F(11), F(12), F(13), F(14), F(15), \
    F(16), F(17), F(18), F(19), F(20), F(21), F(22), F(23), F(24), F(25)
#define LOWERED(n) AS('A' + (n), 'a' + (n))
#define RAISED(n) AS('a' + (n), 'A' + (n))
#define ALL SIXTY_FOUR(-128), SIXTY_FOUR(-64), SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)

static const int lowered[384] = {ALL, LETTERS(LOWERED)};
static const int raised[384] = {ALL, LETTERS(RAISED)};
static const int *const lowered_from = lowered + 128, *const raised_from = raised + 128;

const int *const *__ctype_tolower_loc(void)
{
    return &lowered_from;
}

const int *const *__ctype_toupper_loc(void)
{
    return &raised_from;
}
