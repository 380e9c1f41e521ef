#include <pthread.h>
#include <assert.h>
#include <string.h>

int a[2], r;

void *f(void *arg) {
    memset(a, 0, sizeof a);
    return 0;
}

void *g(void *arg) {
    r = a[1];
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r == 0);
    return 0;
}
