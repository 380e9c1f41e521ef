#include <pthread.h>
#include <assert.h>
#include <errno.h>

void reach_error(void) { assert(0); }

int n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    if (pthread_mutex_trylock(&m) == EBUSY)
        reach_error();
    n++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
