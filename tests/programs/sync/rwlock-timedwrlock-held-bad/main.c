#define _GNU_SOURCE
#include <pthread.h>
#include <errno.h>
#include <time.h>
#include <assert.h>

pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int written;

void *f(void *arg) {
    struct timespec until = {0, 0};
    int result = pthread_rwlock_timedwrlock(&rw, &until);
    assert(result == ETIMEDOUT);
    written = result == 0;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_rdlock(&rw);
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(written);
    return 0;
}
