#include <pthread.h>
#include <assert.h>

_Atomic int x;
int r1, r2;

void *f(void *arg) {
    x = 1;
    r1 = x;
    return 0;
}

void *g(void *arg) {
    x = 2;
    r2 = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(!(r1 == 2 && r2 == 1));
    return 0;
}
