#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>

int x;

int main(void) {
    sscanf("5", "%d", &x);
    assert(x == 0 || x == 5);
    return 0;
}
