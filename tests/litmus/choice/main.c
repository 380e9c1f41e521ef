#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
_Atomic int x, y;
int a, b;

void *f(void *arg) {
    _Bool c = __VERIFIER_nondet_bool();
    x = c;
    return 0;
}

void *g(void *arg) {
    a = x;
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
