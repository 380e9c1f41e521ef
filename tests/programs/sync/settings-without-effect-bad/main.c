#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <assert.h>

int x;

void *f(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    struct sched_param high = {99};
    pthread_create(&t, NULL, f, NULL);
    pthread_setschedparam(t, SCHED_FIFO, &high);
    pthread_yield();
    assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
