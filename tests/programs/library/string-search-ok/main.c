#include <assert.h>
#include <string.h>

int main(void) {
    const char *path = "a/bc/d";
    assert(strchr(path, '/') == path + 1);
    assert(strrchr(path, '/') == path + 4);
    assert(strrchr(path, '\0') == path + 6);
    assert(strrchr(path, 'z') == NULL);
    assert(strstr(path, "bc") == path + 2);
    assert(strstr(path, "") == path);
    assert(strstr(path, "bcd") == NULL);
    assert(strstr("aab", "ab") != NULL);
    assert(strpbrk(path, "dc") == path + 3);
    assert(strpbrk(path, "xyz") == NULL);
    assert(strspn("112a", "12") == 3);
    assert(strspn("a", "12") == 0);
    assert(strcspn("key=value", "=:") == 3);
    assert(strcspn("key", "=:") == 3);
    assert(memchr(path, 'c', 3) == NULL);
    assert(memchr(path, 'c', 4) == path + 3);
    assert(strnlen(path, 3) == 3 && strnlen(path, 9) == 6);
    return 0;
}
