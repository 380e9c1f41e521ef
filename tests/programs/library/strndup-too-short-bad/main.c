#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *part = strndup("longer", 2);
    part[3] = 'x';
    free(part);
    return 0;
}
