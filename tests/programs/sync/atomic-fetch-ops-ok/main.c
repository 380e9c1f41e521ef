#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_uint bits = 12;
atomic_int n = 3;

void *f(void *arg) {
    atomic_fetch_or(&bits, 1);
    atomic_fetch_sub(&n, 1);
    return 0;
}

void *g(void *arg) {
    atomic_fetch_and(&bits, ~4u);
    atomic_fetch_xor(&bits, 2);
    atomic_fetch_sub(&n, 2);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(bits == 11 && n == 0);
    return 0;
}
