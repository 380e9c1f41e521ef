#include <pthread.h>
#include <assert.h>

int a[3], i = 0, j = 1;

void *f(void *arg) {
    assert(a[i] == 0);
    return NULL;
}

void *g(void *arg) {
    j = 2;
    a[j] = 1;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
