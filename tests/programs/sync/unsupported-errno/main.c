#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>

int x;

int main(void) {
    x = errno;
    assert(x == 0 || x == 5);
    return 0;
}
