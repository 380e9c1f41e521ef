#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>

int x;

int main(void) {
    raise(SIGTERM);
    assert(x == 0 || x == 5);
    return 0;
}
