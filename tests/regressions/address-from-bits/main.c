#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int x;
unsigned char bits[64];

void *store(void *arg) {
    uintptr_t v = 0;
    for (int i = 0; i < 64; i++)
        if (bits[i]) v |= (uintptr_t)1 << i;
    *(int *)v = 1;
    return 0;
}

void *look(void *arg) {
    int before = x, after = x;
    assert(before == after);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    for (int i = 0; i < 64; i++) bits[i] = ((uintptr_t)&x >> i) & 1;
    pthread_create(&t1, 0, store, 0);
    pthread_create(&t2, 0, look, 0);
    return 0;
}
