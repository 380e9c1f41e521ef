#include <pthread.h>
#include <assert.h>

_Atomic int a;
int r1, r2;

void *f(void *arg) {
    r1 = a;
    a = 1;
    return 0;
}

void *g(void *arg) {
    r2 = a;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r2 == 0);
    return 0;
}
