#include <pthread.h>

union {
    _Atomic long whole;
    _Atomic int half[2];
} u;
long a;

void *f(void *arg) {
    u.half[0] = -1;
    u.half[1] = -1;
    return 0;
}

void *g(void *arg) {
    a = u.whole;
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
