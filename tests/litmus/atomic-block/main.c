#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y;

void *f(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    y = 1;
    __VERIFIER_atomic_end();
    return 0;
}

void *g(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    y++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, f, 0);
    pthread_create(&t2, 0, g, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
