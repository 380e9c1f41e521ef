#define _GNU_SOURCE
#include <assert.h>
#include <unistd.h>

int x;

int main(void) {
    alarm(1);
    assert(x == 0 || x == 5);
    return 0;
}
