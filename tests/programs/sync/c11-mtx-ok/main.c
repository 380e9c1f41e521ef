#include <threads.h>
#include <assert.h>

mtx_t m;
int n;

int f(void *arg) {
    mtx_lock(&m);
    n = n + 1;
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    mtx_init(&m, mtx_plain);
    thrd_create(&t1, f, NULL);
    thrd_create(&t2, f, NULL);
    thrd_join(t1, NULL);
    thrd_join(t2, NULL);
    mtx_destroy(&m);
    assert(n == 2);
    return 0;
}
