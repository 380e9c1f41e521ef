#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
#include <limits.h>

_Atomic int x = INT_MAX;

void *f(void *arg) {
    atomic_fetch_add(&x, 1);
    return NULL;
}

void *g(void *arg) {
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x > 0);
    return 0;
}
