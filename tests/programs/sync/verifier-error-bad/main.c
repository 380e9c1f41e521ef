#include <pthread.h>

extern void __VERIFIER_error(void);

_Atomic int x;

void *f(void *arg) {
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    if (x == 2)
        __VERIFIER_error();
    pthread_join(t1, NULL);
    return 0;
}
