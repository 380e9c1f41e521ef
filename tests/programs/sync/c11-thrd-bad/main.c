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
    int seen = x;
    thrd_join(t, NULL);
    assert(seen == 1);
    return 0;
}
