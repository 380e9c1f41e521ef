#include <pthread.h>
#include <assert.h>
#include <sched.h>

int x;

void *f(void *arg) {
    x = 1;
    return 0;
}

void *g(void *arg) {
    sched_yield();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t2, NULL);
    assert(x == 1);
    return 0;
}
