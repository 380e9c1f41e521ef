#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

int x;

void *f(void *arg) {
    while (1)
        if (x)
            abort();
}

void *g(void *arg) {
    x = 1;
    assert(0);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    return 0;
}
