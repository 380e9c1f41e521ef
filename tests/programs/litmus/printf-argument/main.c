#include <pthread.h>
#include <assert.h>
#include <stdio.h>

_Atomic int g;
int seen;

void *f(void *arg) {
    int r = g;
    printf("%d\n", r);
    seen = r;
    return 0;
}

void *w(void *arg) {
    g = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, w, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(seen == 0);
    return 0;
}
