#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

void reach_error(void) { assert(0); }

int x;

void *f(void *arg) {
    x = rand();
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    if (x == 17)
        reach_error();
    return 0;
}
