#include <pthread.h>
#include <assert.h>
#include <stdint.h>

union { uint64_t w; uint32_t h[2]; } u;
uint32_t lo, hi;

void *f(void *arg) {
    u.w = 0x0000000100000001;
    return 0;
}

void *g(void *arg) {
    lo = u.h[0];
    hi = u.h[1];
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!(lo == 1 && hi == 0));
    return 0;
}
