#include <threads.h>
#include <assert.h>

int n;

void init(void) {
    n = n + 1;
}

int f(void *arg) {
    once_flag flag = ONCE_FLAG_INIT;
    call_once(&flag, init);
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    thrd_create(&t1, f, NULL);
    thrd_create(&t2, f, NULL);
    thrd_join(t1, NULL);
    thrd_join(t2, NULL);
    assert(n == 1);
    return 0;
}
