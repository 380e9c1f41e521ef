#include <pthread.h>

extern void __VERIFIER_assert(int);

int x;

void *f(void *arg) {
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    x = 1;
    pthread_join(t, NULL);
    __VERIFIER_assert(x == 1 || x == 2);
    return 0;
}
