#include <pthread.h>
#include <assert.h>

_Atomic int n;
int i;

void *f(void *arg) {
    n = 3;
    n = 5;
    return 0;
}

void *g(void *arg) {
    while (i < n)
        i++;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(i < 5);
    return 0;
}
