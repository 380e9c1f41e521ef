#include <pthread.h>

_Atomic int x, y, z;
int a, b, c, d;

void *f(void *arg) {
    x = 1;
    return 0;
}

void *g(void *arg) {
    a = y;
    b = x;
    return 0;
}

void *h(void *arg) {
    c = z;
    d = x;
    return 0;
}

void *k(void *arg) {
    y = 1;
    z = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3, t4;
    pthread_create(&t1, 0, f, 0);
    pthread_create(&t2, 0, g, 0);
    pthread_create(&t3, 0, h, 0);
    pthread_create(&t4, 0, k, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    pthread_join(t4, 0);
    return 0;
}
