#include <pthread.h>
#include <assert.h>

int x;
pthread_t w;

void *f(void *arg) {
    x = 1;
    return 0;
}

void *g(void *arg) {
    pthread_join(w, NULL);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&w, NULL, f, NULL);
    pthread_create(&t, NULL, g, NULL);
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
