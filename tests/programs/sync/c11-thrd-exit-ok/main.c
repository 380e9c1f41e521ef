#include <threads.h>
#include <assert.h>

void reach_error(void) { assert(0); }

int f(void *arg) {
    thrd_exit(7);
    reach_error();
    return 0;
}

int main(void) {
    thrd_t t;
    int r;
    thrd_create(&t, f, NULL);
    thrd_join(t, &r);
    assert(r == 7);
    return 0;
}
