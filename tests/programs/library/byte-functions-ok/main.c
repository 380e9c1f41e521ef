#include <assert.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char from[6] = "abcde", to[6] = "-----";
    bcopy(from, to, 3);
    assert(strcmp(to, "abc--") == 0 && strcmp(from, "abcde") == 0);
    bcopy(from, from + 1, 4);
    assert(strcmp(from, "aabcd") == 0);
    bzero(to + 1, 2);
    assert(to[0] == 'a' && to[1] == 0 && to[2] == 0 && to[3] == '-');
    assert(bcmp(from + 1, "abcd", 4) == 0);
    return 0;
}
