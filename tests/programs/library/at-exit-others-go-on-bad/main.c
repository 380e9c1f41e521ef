#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;

void *thread(void *unused) {
    x = 1;
    return 0;
}

void handler(void) {
    assert(x == 0);
}

int main(void) {
    pthread_t t;
    atexit(handler);
    pthread_create(&t, 0, thread, 0);
    exit(0);
}
