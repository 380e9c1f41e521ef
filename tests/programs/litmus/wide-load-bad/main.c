#include <pthread.h>
#include <assert.h>
#include <stdint.h>

union { uint64_t w; uint32_t h[2]; } u;
uint64_t r;

void *f(void *arg) {
    u.h[0] = 1;
    u.h[1] = 1;
    return 0;
}

void *g(void *arg) {
    r = u.w;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r != 1);
    return 0;
}
