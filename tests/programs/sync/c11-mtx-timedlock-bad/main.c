#include <threads.h>
#include <assert.h>
#include <time.h>

mtx_t m;

int f(void *arg) {
    struct timespec ts = {0, 0};
    assert(mtx_timedlock(&m, &ts) == thrd_success);
    return 0;
}

int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_timed);
    mtx_lock(&m);
    thrd_create(&t, f, NULL);
    thrd_join(t, NULL);
    mtx_unlock(&m);
    return 0;
}
