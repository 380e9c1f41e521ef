#include <pthread.h>

_Atomic int a;
int r, s;

void *f(void *arg) {
    r = a;
    a = 1;
    return 0;
}

void *g(void *arg) {
    s = a;
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
