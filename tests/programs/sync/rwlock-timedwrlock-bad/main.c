#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include <assert.h>

pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

void *f(void *arg) {
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_unlock(&rw);
    return 0;
}

int main(void) {
    pthread_t t;
    struct timespec until = {0, 0};
    pthread_create(&t, NULL, f, NULL);
    int result = pthread_rwlock_timedwrlock(&rw, &until);
    assert(result == 0);
    pthread_rwlock_unlock(&rw);
    pthread_join(t, NULL);
    return 0;
}
