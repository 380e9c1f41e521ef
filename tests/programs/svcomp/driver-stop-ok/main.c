#include <pthread.h>
#include <assert.h>

int stopping, pending = 1, stopped;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void release(void) {
    pending--;
    if (pending == 0)
        stopped = 1;
}

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    int go = !stopping;
    if (go)
        pending++;
    pthread_mutex_unlock(&m);
    if (go) {
        pthread_mutex_lock(&m);
        assert(!stopped);
        release();
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *stopper(void *arg) {
    pthread_mutex_lock(&m);
    stopping = 1;
    release();
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, stopper, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(stopped);
    return 0;
}
