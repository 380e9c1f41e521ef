#include <pthread.h>
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int x, y;

void *f(void *arg) {
    while (__VERIFIER_nondet_bool()) {
        if (x == 1)
            assert(y == 0);
        x = 1;
    }
    return NULL;
}

void *g(void *arg) {
    y = 1;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    return 0;
}
