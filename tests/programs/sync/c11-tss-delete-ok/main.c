#include <threads.h>
#include <assert.h>

tss_t key;
int cell;

void gone(void *p) {
    *(int *)p = 9;
}

int f(void *arg) {
    tss_set(key, &cell);
    tss_delete(key);
    return 0;
}

int main(void) {
    thrd_t t;
    tss_create(&key, gone);
    thrd_create(&t, f, NULL);
    thrd_join(t, NULL);
    assert(cell == 0);
    return 0;
}
