#include <pthread.h>
#include <assert.h>

_Atomic int x, y;
int r1, r2;

void *f(void *arg) {
    r1 = x;
    y = 1;
    return 0;
}

void *g(void *arg) {
    r2 = y;
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r1 == 0);
    return 0;
}
