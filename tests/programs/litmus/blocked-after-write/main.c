#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
_Atomic int x;

void *f(void *arg) {
    x = 1;
    pthread_mutex_lock(&m);
    return 0;
}

int main(void) {
    pthread_mutex_lock(&m);
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    if (x == 1)
        reach_error();
    return 0;
}
