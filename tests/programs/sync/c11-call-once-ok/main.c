#include <threads.h>
#include <assert.h>

once_flag flag = ONCE_FLAG_INIT;
int n;

void init(void) {
    n = n + 1;
}

int f(void *arg) {
    call_once(&flag, init);
    assert(n == 1);
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
