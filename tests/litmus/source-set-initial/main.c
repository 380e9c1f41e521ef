#include <assert.h>
#include <pthread.h>

_Atomic int a, b, c;
int ok;

void *f(void *arg) {
    a = 1;
    b = 1;
    return 0;
}

void *g(void *arg) {
    c = 1;
    c = 2;
    c = 3;
    b = 2;
    return 0;
}

void *h(void *arg) {
    if (c == 2 && b == 0)
        ok = 1;
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
    assert(!ok);
    return 0;
}
