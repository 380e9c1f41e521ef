#include <assert.h>
#include <pthread.h>

_Atomic int x, y;
int a, b;

void *f(void *arg) {
    for (int k = 1; k <= 3; k++)
        x = k;
    return 0;
}

void *g(void *arg) {
    a = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, f, 0);
    pthread_create(&t2, 0, g, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(a != 3);
    return 0;
}
