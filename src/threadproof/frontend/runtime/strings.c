/* Strings. */

#include "runtime.h"

size_t strlen(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

size_t strnlen(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    return n;
}

char *stpcpy(char *restrict target, const char *restrict source)
{
    while ((*target = *source)) {
        target++;
        source++;
    }
    return target;
}

char *strcpy(char *restrict target, const char *restrict source)
{
    stpcpy(target, source);
    return target;
}

char *strncpy(char *restrict target, const char *restrict source, size_t n)
{
    size_t i = 0;
    for (; i < n && source[i]; i++)
        target[i] = source[i];
    for (; i < n; i++)
        target[i] = 0;
    return target;
}

char *strcat(char *restrict target, const char *restrict source)
{
    stpcpy(target + strlen(target), source);
    return target;
}

char *strncat(char *restrict target, const char *restrict source, size_t n)
{
    char *end = target + strlen(target);
    size_t i = 0;
    for (; i < n && source[i]; i++)
        end[i] = source[i];
    end[i] = 0;
    return target;
}

int strcmp(const char *left, const char *right)
{
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return (byte)*left - (byte)*right;
}

int strncmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        byte a = left[i], b = right[i];
        if (a != b || !a)
            return a - b;
    }
    return 0;
}

int tolower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

int toupper(int c)
{
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

int strncasecmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int a = tolower((byte)left[i]), b = tolower((byte)right[i]);
        if (a != b || !a)
            return a - b;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right)
{
    return strncasecmp(left, right, (size_t)-1);
}

char *strchr(const char *text, int wanted)
{
    for (;; text++) {
        char c = *text;
        if (c == (char)wanted)
            return (char *)text;
        if (!c)
            return 0;
    }
}

char *strrchr(const char *text, int wanted)
{
    const char *last = 0;
    for (;; text++) {
        char c = *text;
        if (c == (char)wanted)
            last = text;
        if (!c)
            return (char *)last;
    }
}

char *strstr(const char *text, const char *wanted)
{
    size_t n = strlen(wanted);
    for (;; text++) {
        if (strncmp(text, wanted, n) == 0)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

size_t strspn(const char *text, const char *accepted)
{
    size_t n = 0;
    while (text[n] && strchr(accepted, text[n]))
        n++;
    return n;
}

size_t strcspn(const char *text, const char *rejected)
{
    size_t n = 0;
    while (text[n] && !strchr(rejected, text[n]))
        n++;
    return n;
}

char *strpbrk(const char *text, const char *accepted)
{
    text += strcspn(text, accepted);
    return *text ? (char *)text : 0;
}

char *strndup(const char *text, size_t most)
{
    size_t n = strnlen(text, most);
    char *copy = malloc(n + 1);
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

char *strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(malloc(n), text, n);
}
