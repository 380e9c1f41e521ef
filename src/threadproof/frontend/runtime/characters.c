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
