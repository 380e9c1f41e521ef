#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

int x;

void *f(void *arg) {
    rand();
    x = 2;
    return 0;
}

int main(void) {
    srand(1);
    pthread_t t1;
    pthread_create(&t1, NULL, f, NULL);
    pthread_join(t1, NULL);
    assert(x == 2);
    return 0;
}
