#define _GNU_SOURCE
#include <string.h>

int main(void) {
    char buffer[7];
    char *end = stpcpy(buffer, "abc");
    stpcpy(end, "defg");
    return 0;
}
