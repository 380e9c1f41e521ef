#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int n;
int got;

void *f(void *arg) {
    got = atomic_fetch_add(&n, 1);
    return 0;
}

void *g(void *arg) {
    atomic_fetch_add(&n, 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(got == 0);
    return 0;
}
