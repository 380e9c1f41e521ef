#include <assert.h>
#include <string.h>
#include <strings.h>

static int accepted(const char *given) {
    return strcasecmp(given, "SeCret") == 0;
}

int main(void) {
    assert(accepted("SeCret"));
    assert(!accepted("other"));
    assert(!accepted("secret"));
    return 0;
}
