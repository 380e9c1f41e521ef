#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>

int x;

int main(void) {
    signal(SIGINT, SIG_IGN);
    assert(x == 0 || x == 5);
    return 0;
}
