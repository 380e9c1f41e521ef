#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>

int main(void) {
    pthread_mutexattr_t attr;
    int kind;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_gettype(&attr, &kind);
    assert(kind == PTHREAD_MUTEX_RECURSIVE);
    return 0;
}
