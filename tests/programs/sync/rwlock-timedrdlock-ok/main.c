#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include <assert.h>

pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

void *f(void *arg) {
    struct timespec until = {0, 0};
    if (pthread_rwlock_timedrdlock(&rw, &until) == 0) {
        assert(x == y);
        pthread_rwlock_unlock(&rw);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_rwlock_wrlock(&rw);
    x = 1;
    y = 1;
    pthread_rwlock_unlock(&rw);
    pthread_join(t, NULL);
    return 0;
}
