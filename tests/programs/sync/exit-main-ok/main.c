#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

int n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&m);
    n++;
    assert(n <= 2);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_exit(NULL);
    reach_error();
    return 0;
}
