#include <assert.h>
#include <string.h>
#include <strings.h>

static int is_stop(const char *word) {
    return strncasecmp(word, "stop", strlen(word)) == 0;
}

int main(void) {
    assert(is_stop("STOP"));
    assert(!is_stop("start"));
    assert(!is_stop("st"));
    return 0;
}
