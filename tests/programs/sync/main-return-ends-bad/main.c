#include <pthread.h>
#include <assert.h>

void reach_error(void) { assert(0); }

void *f(void *arg) {
    reach_error();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    return 0;
}
