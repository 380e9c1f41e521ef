#include <pthread.h>
#include <assert.h>

int x;

void *child(void *arg) {
    x = x + 1;
    return 0;
}

void *parent(void *arg) {
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, NULL);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, parent, NULL);
    pthread_create(&t2, NULL, parent, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2);
    return 0;
}
