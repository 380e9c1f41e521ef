#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char from[11] = "0123456789", to[11] = "..........";
    assert(mempcpy(to + 1, from, 7) == to + 8);
    assert(strcmp(to, ".0123456..") == 0);
    memset(to + 2, '#', 5);
    assert(strcmp(to, ".0#####6..") == 0);
    memmove(from + 3, from, 7);
    assert(strcmp(from, "0120123456") == 0);
    char *copy = strdup(to);
    assert(strlen(copy) == 10 && strcmp(copy, to) == 0);
    free(copy);
    return 0;
}
