#include <threads.h>
#include <assert.h>

_Thread_local int n = 5;

int f(void *arg) {
    n = n + 1;
    assert(n == 6);
    return n;
}

int main(void) {
    thrd_t t1, t2;
    int r;
    thrd_create(&t1, f, NULL);
    thrd_create(&t2, f, NULL);
    thrd_join(t1, &r);
    thrd_join(t2, NULL);
    assert(r == 6 && n == 5);
    return 0;
}
