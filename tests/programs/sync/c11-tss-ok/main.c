#include <threads.h>
#include <assert.h>

tss_t key;
int a, b;

int f(void *arg) {
    assert(tss_get(key) == NULL);
    tss_set(key, arg);
    assert(tss_get(key) == arg);
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    tss_create(&key, NULL);
    thrd_create(&t1, f, &a);
    thrd_create(&t2, f, &b);
    thrd_join(t1, NULL);
    thrd_join(t2, NULL);
    assert(tss_get(key) == NULL);
    return 0;
}
