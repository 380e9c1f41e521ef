#include <pthread.h>
#include <assert.h>
#include <time.h>

int x, y;

void *f(void *arg) {
    struct timespec pause = {1, 0};
    x = 1;
    nanosleep(&pause, NULL);
    y = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    assert(x == y);
    return 0;
}
