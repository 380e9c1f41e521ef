#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_detach(t);
    assert(x == 1);
    return 0;
}
