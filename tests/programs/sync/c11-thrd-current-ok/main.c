#include <threads.h>
#include <assert.h>

thrd_t me;

int f(void *arg) {
    thrd_yield();
    me = thrd_current();
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, f, NULL);
    thrd_join(t, NULL);
    assert(thrd_equal(me, t) && !thrd_equal(me, thrd_current()));
    return 0;
}
