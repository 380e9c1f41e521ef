#include <assert.h>
#include <pthread.h>

_Atomic int x, y, z;
int a, b, c;

void *f(void *arg) {
    x = 1;
    y = 1;
    return 0;
}

void *g(void *arg) {
    a = y;
    z = 1;
    return 0;
}

void *h(void *arg) {
    b = z;
    c = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, f, 0);
    pthread_create(&t2, 0, g, 0);
    pthread_create(&t3, 0, h, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    assert(!(a == 1 && b == 1 && c == 0));
    return 0;
}
