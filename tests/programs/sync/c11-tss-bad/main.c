#include <threads.h>
#include <assert.h>

tss_t key;
int cell;

void gone(void *p) {
    *(int *)p = 2;
}

int f(void *arg) {
    tss_set(key, &cell);
    cell = 1;
    return 0;
}

int main(void) {
    thrd_t t;
    tss_create(&key, gone);
    thrd_create(&t, f, NULL);
    thrd_join(t, NULL);
    assert(cell == 1);
    return 0;
}
