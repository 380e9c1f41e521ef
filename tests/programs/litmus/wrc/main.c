#include <pthread.h>
#include <assert.h>

_Atomic int x, y;
int r1, r2, r3;

void *f(void *arg) {
    x = 1;
    return 0;
}

void *g(void *arg) {
    r1 = x;
    y = 1;
    return 0;
}

void *h(void *arg) {
    r2 = y;
    r3 = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_create(&t3, NULL, h, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(!(r1 == 1 && r2 == 1 && r3 == 0));
    return 0;
}
