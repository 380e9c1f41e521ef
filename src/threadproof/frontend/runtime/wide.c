/* Wide characters, in the C locale. */

#include "runtime.h"

typedef __WCHAR_TYPE__ wide;

size_t wcslen(const wide *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

wide *wcscpy(wide *restrict target, const wide *restrict source)
{
    for (size_t i = 0; (target[i] = source[i]); i++)
        ;
    return target;
}

wide *wcscat(wide *restrict target, const wide *restrict source)
{
    wcscpy(target + wcslen(target), source);
    return target;
}

int wcsncmp(const wide *left, const wide *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        wide a = left[i], b = right[i];
        if (a != b)
            return a < b ? -1 : 1;
        if (!a)
            return 0;
    }
    return 0;
}

int wcscmp(const wide *left, const wide *right)
{
    return wcsncmp(left, right, (size_t)-1);
}

wide *wcschr(const wide *text, wide wanted)
{
    for (; *text != wanted; text++)
        if (!*text)
            return 0;
    return (wide *)text;
}

wide *wmemcpy(wide *restrict target, const wide *restrict source, size_t n)
{
    for (size_t i = 0; i < n; i++)
        target[i] = source[i];
    return target;
}

wide *wmemset(wide *target, wide value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        target[i] = value;
    return target;
}

int wmemcmp(const wide *left, const wide *right, size_t n)
{
    int order = 0;
    for (size_t i = 0; i < n; i++) {
        wide a = left[i], b = right[i];
        order = order ? order : a < b ? -1 : a > b;
    }
    return order;
}
