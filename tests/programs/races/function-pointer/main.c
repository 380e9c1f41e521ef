#include <pthread.h>
#include <assert.h>

int x;

void one(void) {
    x = 1;
}

void two(void) {
    x = 2;
}

void (*fp)(void) = one;

void *f(void *arg) {
    fp();
    return 0;
}

void *g(void *arg) {
    fp = two;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 1 || x == 2);
    return 0;
}
