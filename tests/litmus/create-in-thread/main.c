#include <pthread.h>

_Atomic int x;
int got;

void *g(void *arg) {
    x = 2;
    return 0;
}

void *f(void *arg) {
    pthread_t inner;
    pthread_create(&inner, 0, g, 0);
    x = 1;
    pthread_join(inner, 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    got = x;
    pthread_join(t, 0);
    return 0;
}
