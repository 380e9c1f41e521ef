#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *name = strdup("first");
    name = strdup("second");
    assert(name[0] == 's');
    free(name);
    return 0;
}
