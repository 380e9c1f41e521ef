#include <pthread.h>
#include <assert.h>

struct { char a, b; } s;

void *f(void *arg) {
    s.a = 1;
    return 0;
}

void *g(void *arg) {
    s.b = 2;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(s.a == 1 && s.b == 2);
    return 0;
}
