#include <pthread.h>

extern void __VERIFIER_error(void);

int x;

void *f(void *arg) {
    x = 2;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    if (x != 2)
        __VERIFIER_error();
    return 0;
}
