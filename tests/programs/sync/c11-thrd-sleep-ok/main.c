#include <threads.h>
#include <assert.h>

int x;

int f(void *arg) {
    thrd_sleep(&(struct timespec){.tv_nsec = 1}, NULL);
    x = 1;
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, f, NULL);
    thrd_join(t, NULL);
    assert(x == 1);
    return 0;
}
