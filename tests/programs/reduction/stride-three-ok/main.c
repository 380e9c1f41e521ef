#include <pthread.h>
#include <assert.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned char x;

void *f(void *arg) {
    while (1) {
        __VERIFIER_atomic_begin();
        if (x < 90)
            x += 3;
        __VERIFIER_atomic_end();
    }
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    assert(x % 3 == 0);
    return 0;
}
