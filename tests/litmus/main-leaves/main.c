#include <pthread.h>

_Atomic int x;
int a;

void *f(void *arg) {
    x = 1;
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
    pthread_exit(0);
    return 0;
}
