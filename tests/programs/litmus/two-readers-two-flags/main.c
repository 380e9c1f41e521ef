#include <pthread.h>
#include <assert.h>

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

void *w(void *arg) {
    y = 1;
    z = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3, t4;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_create(&t3, NULL, h, NULL);
    pthread_create(&t4, NULL, w, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    pthread_join(t4, NULL);
    assert(!(a == 1 && b == 0 && c == 0 && d == 1));
    return 0;
}
