#include <pthread.h>
#include <assert.h>

_Atomic int x;
int r;

void *g(void *arg) {
    x = 2;
    return 0;
}

void *f(void *arg) {
    pthread_t t;
    pthread_create(&t, NULL, g, NULL);
    x = 1;
    pthread_join(t, NULL);
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    r = x;
    pthread_join(t1, NULL);
    assert(!(r == 2 && x == 1));
    return 0;
}
