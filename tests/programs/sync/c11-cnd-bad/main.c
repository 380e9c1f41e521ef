#include <threads.h>
#include <assert.h>

mtx_t m;
cnd_t c;
int ready;

int f(void *arg) {
    mtx_lock(&m);
    ready = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, f, NULL);
    mtx_lock(&m);
    if (!ready)
        cnd_wait(&c, &m);
    assert(ready == 1);
    mtx_unlock(&m);
    thrd_join(t, NULL);
    return 0;
}
