#include <pthread.h>
#include <assert.h>

_Atomic int flag;
int x;

void *f(void *arg) {
    x = 1;
    flag = 1;
    return 0;
}

void *g(void *arg) {
    while (!flag)
        ;
    assert(x == 1);
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
