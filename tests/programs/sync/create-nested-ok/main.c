#include <pthread.h>
#include <assert.h>

int x;

void *inner(void *arg) {
    x = 1;
    return 0;
}

void *outer(void *arg) {
    pthread_t t;
    pthread_create(&t, NULL, inner, NULL);
    pthread_join(t, NULL);
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, outer, NULL);
    pthread_join(t1, NULL);
    assert(x == 1);
    return 0;
}
