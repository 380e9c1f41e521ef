#include <pthread.h>

struct pair { int a, b; } s, copy;

void *f(void *arg) {
    copy = s;
    return 0;
}

void *g(void *arg) {
    s.b = 1;
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
