#include <pthread.h>
#include <assert.h>

_Atomic int x;

void *f(void *arg) {
    while (x++ < 5)
        ;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, f, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 7);
    return 0;
}
