#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *name = strdup("gone");
    free(name);
    puts(name);
    return 0;
}
