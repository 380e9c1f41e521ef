#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutex_t m;
    int kind = -1;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_gettype(&attr, &kind);
    assert(kind == PTHREAD_MUTEX_DEFAULT);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_gettype(&attr, &kind);
    assert(kind == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_mutex_lock(&m);
    assert(pthread_mutex_trylock(&m) == 0);
    return 0;
}
