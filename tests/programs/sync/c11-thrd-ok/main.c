#include <threads.h>
#include <assert.h>

int f(void *arg) {
    return *(int *)arg + 1;
}

int main(void) {
    thrd_t t1, t2;
    int a = 1, b = 2, r1, r2;
    thrd_create(&t1, f, &a);
    thrd_create(&t2, f, &b);
    thrd_join(t1, &r1);
    thrd_join(t2, &r2);
    assert(r1 == 2 && r2 == 3);
    return 0;
}
