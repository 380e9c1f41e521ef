#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

int x;

int main(void) {
    pthread_atfork(NULL, NULL, NULL);
    assert(x == 0 || x == 5);
    return 0;
}
