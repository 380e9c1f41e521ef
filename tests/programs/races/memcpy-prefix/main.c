#include <pthread.h>
#include <assert.h>
#include <string.h>

int a[4], b[4];

void *f(void *arg) {
    memcpy(b, a, 2 * sizeof a[0]);
    return 0;
}

void *g(void *arg) {
    a[3] = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(b[0] == 0 && b[3] == 0);
    return 0;
}
