#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

_Atomic int x, go;

void *f(void *arg) {
    x = 1;
    while (!go)
        ;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    if (x == 1)
        reach_error();
    return 0;
}
