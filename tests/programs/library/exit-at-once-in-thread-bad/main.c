#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *f(void *arg) {
    _Exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    assert(0);
    return 0;
}
