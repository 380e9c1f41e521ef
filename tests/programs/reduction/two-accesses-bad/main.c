#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg) {
    int was = x;
    x = was + 1;
    return NULL;
}

void *g(void *arg) {
    int was = x;
    x = was + 1;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2);
    return 0;
}
