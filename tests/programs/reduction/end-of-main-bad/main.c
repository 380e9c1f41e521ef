#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    x = 1;
    return NULL;
}

void *g(void *arg) {
    assert(x == 0);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    return 0;
}
