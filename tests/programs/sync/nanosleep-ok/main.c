#include <pthread.h>
#include <assert.h>
#include <time.h>

int x;

void *f(void *arg) {
    struct timespec pause = {0, 1000};
    nanosleep(&pause, NULL);
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
