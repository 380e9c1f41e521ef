#include <pthread.h>
#include <assert.h>

int x = 3, a, b;

void *f(void *arg) {
    a = x;
    return 0;
}

void *g(void *arg) {
    b = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(a == 3 && b == 3);
    return 0;
}
