#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <time.h>

int n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    struct timespec ts = {0, 0};
    int r = pthread_mutex_timedlock(&m, &ts);
    if (r == 0) {
        n = n + 1;
        pthread_mutex_unlock(&m);
    } else {
        assert(r == ETIMEDOUT);
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n <= 2);
    return 0;
}
