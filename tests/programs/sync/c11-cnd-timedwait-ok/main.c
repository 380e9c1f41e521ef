#include <threads.h>
#include <assert.h>
#include <time.h>

mtx_t m;
cnd_t c;
int n;

int f(void *arg) {
    struct timespec ts = {0, 0};
    mtx_lock(&m);
    cnd_timedwait(&c, &m, &ts);
    n = n + 1;
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t1, f, NULL);
    thrd_create(&t2, f, NULL);
    thrd_join(t1, NULL);
    thrd_join(t2, NULL);
    assert(n == 2);
    return 0;
}
