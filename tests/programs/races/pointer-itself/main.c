#include <pthread.h>
#include <assert.h>

int x, y;
int *p = &x;

void *f(void *arg) {
    p = &y;
    return 0;
}

void *g(void *arg) {
    *p = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x + y == 1);
    return 0;
}
