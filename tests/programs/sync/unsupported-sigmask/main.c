#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int x;

int main(void) {
    pthread_sigmask(SIG_BLOCK, NULL, NULL);
    assert(x == 0 || x == 5);
    return 0;
}
