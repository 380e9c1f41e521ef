#include <pthread.h>

_Atomic int k, v;
int a, b, c;

void *f(void *arg) {
    k = 1;
    v = 1;
    v = 0;
    a = k;
    k = 0;
    return 0;
}

void *g(void *arg) {
    b = v;
    c = k;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, f, 0);
    pthread_create(&t2, 0, g, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
