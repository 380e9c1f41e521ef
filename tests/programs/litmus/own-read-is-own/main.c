#include <pthread.h>
#include <assert.h>

_Atomic int k, v;
int a, b, own;

void *f(void *arg) {
    k = 1;
    v = 1;
    v = 0;
    own = k;
    k = 0;
    return 0;
}

void *g(void *arg) {
    a = v;
    b = k;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(own == 1 && k == 0 && v == 0);
    return 0;
}
