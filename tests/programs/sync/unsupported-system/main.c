#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

int x;

int main(void) {
    system("true");
    assert(x == 0 || x == 5);
    return 0;
}
