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
    thrd_t t;
    mtx_init(&m, mtx_plain);
    thrd_create(&t, f, NULL);
    n = n + 1;
    thrd_join(t, NULL);
    assert(n == 2);
    return 0;
}
