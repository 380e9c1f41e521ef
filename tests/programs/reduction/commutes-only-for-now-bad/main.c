#include <pthread.h>
#include <assert.h>

int a[2], i = 0, j = 1;

void *f(void *arg) {
    assert(a[i] == 0);
    return NULL;
}

void *g(void *arg) {
    j = i;
    a[j] = 1;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    return 0;
}
