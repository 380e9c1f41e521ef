#include <assert.h>
#include <string.h>
#include <strings.h>

int main(void) {
    assert(strcasecmp("MuTeX", "mutex") == 0);
    assert(strcasecmp("a", "B") < 0 && strcasecmp("_", "a") < 0);
    assert(strncasecmp("LOCKED", "lockstep", 4) == 0);
    assert(strncasecmp("LOCKED", "lockstep", 5) < 0);
    assert(strncasecmp("same", "same", 100) == 0);
    assert(strncasecmp("x", "y", 0) == 0);
    assert(strcmp("\x80", "\x7f") > 0);
    assert(memcmp("a\0b", "a\0c", 3) < 0 && memcmp("a\0b", "a\0c", 2) == 0);
    assert(bcmp("a\0b", "a\0c", 3) != 0 && bcmp("abc", "abd", 2) == 0);
    return 0;
}
