#include <assert.h>
#include <pthread.h>

_Atomic int x, y;
int a, b;

void *f(void *arg) {
    x = 1;
    y = 1;
    return 0;
}

void *g(void *arg) {
    if (y != 1)
        y = 2;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, f, 0);
    pthread_create(&t2, 0, g, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(!(x == 1 && y == 2));
    return 0;
}
