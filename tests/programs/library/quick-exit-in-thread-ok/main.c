#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *f(void *arg) {
    quick_exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(0);
    return 0;
}
