#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

int x;

void handler(void) {
    x = 1;
}

int main(void) {
    atexit(handler);
    assert(x == 0 || x == 5);
    return 0;
}
