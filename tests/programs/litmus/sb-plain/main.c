#include <pthread.h>
#include <assert.h>

int x, y, r1, r2;

void *f(void *arg) {
    x = 1;
    r1 = y;
    return 0;
}

void *g(void *arg) {
    y = 1;
    r2 = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!(r1 == 0 && r2 == 0));
    return 0;
}
