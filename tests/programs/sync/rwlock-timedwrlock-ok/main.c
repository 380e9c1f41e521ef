#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
#include <assert.h>

pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int n;

void *f(void *wrote) {
    struct timespec until = {0, 0};
    if (pthread_rwlock_timedwrlock(&rw, &until) == 0) {
        n = n + 1;
        *(int *)wrote = 1;
        pthread_rwlock_unlock(&rw);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    int first = 0, second = 0;
    pthread_create(&t, NULL, f, &first);
    f(&second);
    pthread_join(t, NULL);
    assert(n == first + second);
    return 0;
}
