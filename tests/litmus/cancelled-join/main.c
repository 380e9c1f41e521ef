#include <assert.h>
#include <pthread.h>

int x;

void *child(void *arg) { return 0; }

void *parent(void *arg) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    pthread_join(t, 0);
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, 0, parent, 0);
    pthread_cancel(t1);
    pthread_join(t1, 0);
    assert(x == 0);
    return 0;
}
