#include <threads.h>
#include <assert.h>

mtx_t m;
int n;

int f(void *arg) {
    int r = mtx_trylock(&m);
    if (r == thrd_success) {
        n = n + 1;
        mtx_unlock(&m);
    } else {
        assert(r == thrd_busy);
    }
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    mtx_init(&m, mtx_plain);
    thrd_create(&t1, f, NULL);
    thrd_create(&t2, f, NULL);
    thrd_join(t1, NULL);
    thrd_join(t2, NULL);
    assert(n == 1 || n == 2);
    return 0;
}
