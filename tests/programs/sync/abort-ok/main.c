#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

void reach_error(void) { assert(0); }

void *f(void *arg) {
    abort();
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    reach_error();
    return 0;
}
