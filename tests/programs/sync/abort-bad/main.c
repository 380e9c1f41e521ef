#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

void reach_error(void) { assert(0); }

void *f(void *arg) {
    abort();
    return 0;
}

void *g(void *arg) {
    reach_error();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
