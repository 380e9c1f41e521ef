#include <pthread.h>
#include <stdio.h>

_Atomic int v;

void *f(void *arg) {
    printf("%d\n", v);
    return 0;
}

void *g(void *arg) {
    v = 1;
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
