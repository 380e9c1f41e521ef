/* Strings: what GNU, BSD and POSIX add, and splitting into words. */

#include "runtime.h"

char *strchr(const char *text, int wanted);
char *strrchr(const char *text, int wanted);
int strcmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t n);
size_t strspn(const char *text, const char *accepted);
size_t strcspn(const char *text, const char *rejected);

char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest)
{
    if (!text)
        text = *rest;
    text += strspn(text, separators);
    if (!*text) {
        *rest = text;
        return 0;
    }
    char *end = text + strcspn(text, separators);
    *rest = *end ? end + 1 : end;
    if (*end)
        *end = 0;
    return text;
}

char *__strtok_r(char *restrict text, const char *restrict separators, char **restrict rest)
{
    return strtok_r(text, separators, rest);
}

/* The rest is one for all threads: they race on it. */
char *strtok(char *restrict text, const char *restrict separators)
{
    static char *rest;
    return strtok_r(text, separators, &rest);
}

char *strsep(char **restrict rest, const char *restrict separators)
{
    char *text = *rest;
    if (!text)
        return 0;
    char *end = text + strcspn(text, separators);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else
        *rest = 0;
    return text;
}

size_t strlcpy(char *restrict target, const char *restrict source, size_t size)
{
    size_t length = strlen(source);
    if (size > 0) {
        size_t n = length < size ? length : size - 1;
        memcpy(target, source, n);
        target[n] = 0;
    }
    return length;
}

size_t strlcat(char *restrict target, const char *restrict source, size_t size)
{
    size_t before = strnlen(target, size);
    return before + (before == size ? strlen(source) : strlcpy(target + before, source, size - before));
}

char *stpncpy(char *restrict target, const char *restrict source, size_t n)
{
    size_t length = strnlen(source, n);
    memcpy(target, source, length);
    memset(target + length, 0, n - length);
    return target + length;
}

char *strchrnul(const char *text, int wanted)
{
    while (*text && *text != (char)wanted)
        text++;
    return (char *)text;
}

char *index(const char *text, int wanted)
{
    return strchr(text, wanted);
}

char *rindex(const char *text, int wanted)
{
    return strrchr(text, wanted);
}

char *strcasestr(const char *text, const char *wanted)
{
    size_t n = strlen(wanted);
    for (;; text++) {
        if (strncasecmp(text, wanted, n) == 0)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

/* In the C locale the order is that of the bytes. */
int strcoll(const char *left, const char *right)
{
    return strcmp(left, right);
}

size_t strxfrm(char *restrict target, const char *restrict source, size_t size)
{
    size_t length = strlen(source);
    if (size > 0)
        memcpy(target, source, length < size ? length + 1 : size);
    return length;
}

static size_t digits_at(const char *text)
{
    size_t n = 0;
    while (isdigit((byte)text[n]))
        n++;
    return n;
}

/* Numbers inside of the texts count as numbers; those with leading zeros as fractions. */
int strverscmp(const char *left, const char *right)
{
    size_t at = 0, start;
    while (left[at] && left[at] == right[at])
        at++;
    byte a = left[at], b = right[at];
    if (a == b)
        return 0;
    for (start = at; start > 0 && isdigit((byte)left[start - 1]); start--)
        ;
    if (start == at && !(isdigit(a) && isdigit(b)))
        return a - b;
    _Bool fraction = start < at ? left[start] == '0' : a == '0' || b == '0';
    for (size_t i = start; fraction && i < at; i++)
        if (left[i] != '0')
            return a - b; /* a fraction that differs behind its leading zeros */
    if (fraction)
        return !isdigit(a) ? (isdigit(b) ? 1 : a - b) : !isdigit(b) ? -1 : a - b;
    size_t n = digits_at(left + at), m = digits_at(right + at);
    return n != m ? (n > m ? 1 : -1) : a - b;
}

/* The GNU variant; that of <libgen.h> follows. */
char *basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return (char *)(slash ? slash + 1 : path);
}

static char here[] = ".";

/* The path without the slashes at its end; the first character stays. */
static size_t without_slashes(const char *path, size_t n)
{
    while (n > 1 && path[n - 1] == '/')
        n--;
    return n;
}

char *__xpg_basename(char *path)
{
    if (!path || !*path)
        return here;
    size_t length = strlen(path), n = without_slashes(path, length);
    if (n == 1 && *path == '/')
        return path + length - 1;
    if (n < length)
        path[n] = 0;
    while (n > 0 && path[n - 1] != '/')
        n--;
    return path + n;
}

char *dirname(char *path)
{
    if (!path || !*path)
        return here;
    size_t n = without_slashes(path, strlen(path));
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n == 0)
        return here;
    n = without_slashes(path, n);
    if (n == 1 && *path == '/' && path[1] == '/' && path[2] != '/')
        n = 2; /* two slashes at the beginning may mean something of their own */
    path[n] = 0;
    return path;
}
