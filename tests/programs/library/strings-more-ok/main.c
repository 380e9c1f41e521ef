#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

extern char *__xpg_basename(char *path), *dirname(char *path);
extern size_t strlcpy(char *, const char *, size_t), strlcat(char *, const char *, size_t);
extern char *__strtok_r(char *, const char *, char **);
extern const int **__ctype_tolower_loc(void), **__ctype_toupper_loc(void);

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static int by_more(const void *a, const void *b, void *sign) {
    return *(int *)sign * by_value(a, b);
}

static void words(void) {
    char text[] = "a,,b;c", again[] = "x y", fields[] = "1::2", *rest;
    assert(!strcmp(strtok(text, ",;"), "a") && !strcmp(strtok(NULL, ",;"), "b"));
    assert(!strcmp(strtok(NULL, ",;"), "c") && !strtok(NULL, ",;"));
    assert(!strcmp(strtok_r(again, " ", &rest), "x") && !strcmp(__strtok_r(NULL, " ", &rest), "y"));
    rest = fields;
    assert(!strcmp(strsep(&rest, ":"), "1") && !*strsep(&rest, ":") && !strcmp(strsep(&rest, ":"), "2") && !rest);
}

static void copies(void) {
    char room[6];
    assert(strlcpy(room, "abcdefgh", sizeof room) == 8 && !strcmp(room, "abcde"));
    assert(strlcpy(room, "ab", sizeof room) == 2 && strlcat(room, "cdef", sizeof room) == 6 && !strcmp(room, "abcde"));
    assert(stpncpy(room, "xy", 4) == room + 2 && room[3] == 0);
    assert(memccpy(room, "k=v", '=', 4) == room + 2 && memccpy(room, "kv", '=', 2) == NULL);
    assert(strxfrm(room, "abc", 4) == 3 && !strcmp(room, "abc"));
    explicit_bzero(room, 3);
    assert(room[0] == 0 && room[2] == 0);
}

static void searches(void) {
    const char *text = "banana";
    assert(memrchr(text, 'n', 6) == text + 4 && rawmemchr(text, 'n') == text + 2 && *strchrnul(text, 'x') == 0);
    assert(index(text, 'n') == text + 2 && rindex(text, 'a') == text + 5);
    assert(strcasestr(text, "NAN") == text + 2 && memmem(text, 6, "na", 2) == text + 2 && !memmem(text, 3, "nan", 3));
    assert(strcoll("a", "b") < 0 && strverscmp("a9", "a10") < 0 && strverscmp("a010", "a09") < 0);
    assert(memcmp("abx", "aby", 2) == 0 && memcmp("a\377", "a\1", 2) > 0);
}

static void paths(void) {
    char a[] = "/usr/lib/", b[] = "/usr/lib/", c[] = "file", d[] = "/";
    assert(!strcmp(basename("/usr/lib"), "lib") && !strcmp(__xpg_basename(a), "lib") && !strcmp(dirname(b), "/usr"));
    assert(!strcmp(dirname(c), ".") && !strcmp(__xpg_basename(d), "/"));
}

static void arrays(void) {
    int numbers[5] = {3, 1, 2}, minus = -1, wanted = 7;
    size_t count = 3;
    qsort_r(numbers, 3, sizeof(int), by_more, &minus);
    assert(numbers[0] == 3 && numbers[2] == 1);
    assert(!lfind(&wanted, numbers, &count, sizeof(int), by_value));
    assert(lsearch(&wanted, numbers, &count, sizeof(int), by_value) == numbers + 3 && count == 4 && numbers[3] == 7);
}

static void wide(void) {
    wchar_t room[8];
    assert(wcslen(L"abc") == 3 && !wcscmp(wcscat(wcscpy(room, L"ab"), L"c"), L"abc") && wcsncmp(L"ab", L"ac", 2) < 0);
    assert(wcschr(room, L'c') == room + 2 && wmemcmp(wmemset(room, L'x', 2), L"xx", 2) == 0);
    assert(wmemcpy(room, L"yz", 2)[1] == L'z');
}

int main(void) {
    words();
    copies();
    searches();
    paths();
    arrays();
    wide();
    assert((*__ctype_tolower_loc())['Q'] == 'q' && (*__ctype_toupper_loc())['q'] == 'Q');
    assert((*__ctype_tolower_loc())[-1] == -1 && (*__ctype_toupper_loc())['{'] == '{');
    assert(imaxdiv(-7, 2).rem == -1);
    return 0;
}
