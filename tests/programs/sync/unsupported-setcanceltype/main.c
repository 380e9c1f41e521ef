#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

int x;

int main(void) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    assert(x == 0 || x == 5);
    return 0;
}
