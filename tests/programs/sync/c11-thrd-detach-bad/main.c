#include <threads.h>
#include <assert.h>

int x;

int f(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, f, NULL);
    thrd_detach(t);
    thrd_sleep(&(struct timespec){.tv_sec = 1}, NULL);
    assert(x == 1);
    return 0;
}
