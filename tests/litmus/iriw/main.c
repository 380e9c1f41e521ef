#include <assert.h>
#include <pthread.h>

_Atomic int x, y;
int a, b, c, d;

void *f(void *arg) {
    x = 1;
    return 0;
}

void *g(void *arg) {
    y = 1;
    return 0;
}

void *h(void *arg) {
    a = x;
    b = y;
    return 0;
}

void *k(void *arg) {
    c = y;
    d = x;
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
    assert(!(a == 1 && b == 0 && c == 1 && d == 0));
    return 0;
}
