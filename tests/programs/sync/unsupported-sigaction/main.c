#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int x;

int main(void) {
    sigaction(SIGINT, NULL, NULL);
    assert(x == 0 || x == 5);
    return 0;
}
