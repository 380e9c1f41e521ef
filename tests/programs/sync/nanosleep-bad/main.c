#include <pthread.h>
#include <assert.h>
#include <time.h>

int x;

void *f(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    struct timespec pause = {1, 0};
    pthread_create(&t, NULL, f, NULL);
    nanosleep(&pause, NULL);
    assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
