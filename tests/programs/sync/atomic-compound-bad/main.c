#include <pthread.h>
#include <assert.h>

_Atomic int n;

void *f(void *arg) {
    n = n + 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(n == 2);
    return 0;
}
