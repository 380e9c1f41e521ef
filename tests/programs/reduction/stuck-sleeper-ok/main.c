#include <pthread.h>
#include <assert.h>

int x, y;

void *f(void *arg) {
    x = 1;
    return NULL;
}

void *g(void *arg) {
    y = 1;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 1 && y == 1);
    return 0;
}
