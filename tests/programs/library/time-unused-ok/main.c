#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

int x;

void *f(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    srand(time(NULL));
    srandom(time(NULL));
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
