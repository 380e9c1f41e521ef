#include <pthread.h>
#include <assert.h>

_Atomic int x, y;
int r1, r2, r3, r4;

void *f(void *arg) {
    x = 1;
    r1 = x;
    r2 = y;
    return 0;
}

void *g(void *arg) {
    y = 1;
    r3 = y;
    r4 = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
    return 0;
}
