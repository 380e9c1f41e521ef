#include <pthread.h>

union { int i; short s[2]; } u;
short r;

void *f(void *arg) {
    u.i = 1;
    return 0;
}

void *g(void *arg) {
    r = u.s[1];
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
