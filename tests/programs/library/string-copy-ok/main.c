#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char buffer[10];
    char *end = stpcpy(buffer, "one");
    assert(end == buffer + 3 && *end == 0);
    strncat(buffer, "-two-three", 4);
    assert(strcmp(buffer, "one-two") == 0);
    strncat(buffer, "!!", 9);
    assert(strcmp(buffer, "one-two!!") == 0);

    char *copy = strdup(buffer);
    char *part = strndup(buffer, 3);
    char *whole = strndup(buffer, 100);
    assert(copy != buffer && strcmp(copy, buffer) == 0);
    assert(strcmp(part, "one") == 0);
    copy[0] = 'O';
    assert(buffer[0] == 'o' && strcmp(whole, buffer) == 0);
    free(copy);
    free(part);
    free(whole);

    char bytes[4] = {9, 9, 9, 9};
    assert(mempcpy(bytes, "ab", 2) == bytes + 2);
    assert(bytes[1] == 'b' && bytes[2] == 9);
    return 0;
}
