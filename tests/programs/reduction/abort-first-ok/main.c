#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

int x;

void *f(void *arg) {
    abort();
}

void *g(void *arg) {
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(0);
    return 0;
}
