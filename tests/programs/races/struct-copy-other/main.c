#include <pthread.h>
#include <assert.h>

struct pair { int a, b; } s = {1, 2}, z, copy;

void *f(void *arg) {
    copy = s;
    return 0;
}

void *g(void *arg) {
    z.b = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(copy.a == 1 && copy.b == 2);
    return 0;
}
