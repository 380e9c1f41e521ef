#define _GNU_SOURCE
#include <stdio.h>

int main(void) {
    char letters[3] = {'a', 'b', 'c'};
    dprintf(2, "%.4s\n", letters);
    return 0;
}
