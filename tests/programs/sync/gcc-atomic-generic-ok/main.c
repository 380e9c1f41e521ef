#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

int x, y;

void *f(void *arg) {
    int v = 4, w;
    __atomic_store(&x, &v, __ATOMIC_SEQ_CST);
    __atomic_exchange(&y, &v, &w, __ATOMIC_SEQ_CST);
    assert(w == 0 || w == 4);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    int r;
    __atomic_load(&x, &r, __ATOMIC_SEQ_CST);
    assert(r == 4 && y == 4);
    return 0;
}
