#include <threads.h>
#include <assert.h>

mtx_t m;
int n;

int f(void *arg) {
    mtx_lock(&m);
    mtx_lock(&m);
    n = n + 1;
    mtx_unlock(&m);
    n = n + 1;
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    mtx_init(&m, mtx_plain | mtx_recursive);
    thrd_create(&t1, f, NULL);
    thrd_create(&t2, f, NULL);
    thrd_join(t1, NULL);
    thrd_join(t2, NULL);
    assert(n == 4);
    return 0;
}
