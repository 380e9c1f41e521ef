#include <pthread.h>
#include <assert.h>

_Atomic int cell;
_Atomic(_Atomic int *) p;

void *f(void *arg) {
    p = &cell;
    cell = 1;
    return 0;
}

void *g(void *arg) {
    _Atomic int *q = p;
    if (q)
        assert(*q == 1);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, f, NULL);
    pthread_create(&t2, NULL, g, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
