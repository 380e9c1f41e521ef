#include <threads.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int done;
int x;

int f(void *arg) {
    x = 1;
    done = 1;
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, f, NULL);
    assert(thrd_detach(t) == thrd_success);
    if (done)
        assert(x == 1);
    return 0;
}
